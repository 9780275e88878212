"""A small invented configuration, as a Configurator dump has it, and the zip that it is uploaded in."""

import io
import zipfile
from collections.abc import Iterable, Mapping

Files = dict[str, str | bytes]

_NAMESPACES = (
    'xmlns="http://v8.1c.ru/8.3/MDClasses" xmlns:cfg="http://v8.1c.ru/8.1/data/enterprise/current-config"'
    ' xmlns:v8="http://v8.1c.ru/8.1/data/core" xmlns:xr="http://v8.1c.ru/8.3/xcf/readable"'
    ' xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="2.20"'
)
PRICING = """\
#Область ПрограммныйИнтерфейс

// Возвращает цену товара на дату.
//
Функция ЦенаТовара(Товар, Дата) Экспорт
	Отбор = Новый Структура("Товар", Товар);
	Возврат РегистрыСведений.ЦеныТоваров.СрезПоследних(Дата, Отбор);
КонецФункции

// Округляет цену до рублей.
Функция ОкруглитьЦену(Цена) Экспорт
	Возврат Окр(Цена, 0);
КонецФункции

#КонецОбласти

Процедура ПроверитьНаценку(Наценка)
	Если Наценка < 0 Тогда
		ВызватьИсключение "Наценка не бывает отрицательной";
	КонецЕсли;
КонецПроцедуры
"""
POSTING = """\
Процедура ОбработкаПроведения(Отказ, Режим)
	Движения.ЦеныТоваров.Записывать = Истина;
КонецПроцедуры
"""


def descriptor(kind: str, name: str, synonym: str = "", properties: str = "", children: str = "") -> str:
    """A descriptor's XML; `properties` and `children` are XML too."""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<MetaDataObject {_NAMESPACES}>\n<{kind}><Properties>'
        f"<Name>{name}</Name>{_synonym(synonym)}{properties}</Properties>"
        f"<ChildObjects>{children}</ChildObjects></{kind}>\n</MetaDataObject>\n"
    )


def field(kind: str, name: str, synonym: str = "", of_type: str = "xs:string") -> str:
    """An attribute, dimension or resource for `children`."""
    properties = f"<Name>{name}</Name>{_synonym(synonym)}<Type><v8:Type>{of_type}</v8:Type></Type>"
    return f"<{kind}><Properties>{properties}</Properties></{kind}>"


def references(name: str, targets: Iterable[str]) -> str:
    """A property that names other objects."""
    items = "".join(f'<xr:Item xsi:type="xr:MDObjectRef">{target}</xr:Item>' for target in targets)
    return f"<{name}>{items}</{name}>"


def configuration(version: str = "1.0.1") -> Files:
    """A shop: a catalog, a document that writes a register, a subsystem that holds two of them, a common module."""
    return {
        "Configuration.xml": descriptor("Configuration", "Магазин", "Магазин", f"<Version>{version}</Version>"),
        "Catalogs/Товары.xml": descriptor(
            "Catalog", "Товары", "Товары и услуги", children=field("Attribute", "Артикул", "Артикул производителя")
        ),
        "Documents/УстановкаЦен.xml": descriptor(
            "Document", "УстановкаЦен", "Установка цен",
            references("RegisterRecords", ["InformationRegister.ЦеныТоваров"]),
        ),
        "Documents/УстановкаЦен/Ext/ObjectModule.bsl": POSTING,
        "InformationRegisters/ЦеныТоваров.xml": descriptor(
            "InformationRegister", "ЦеныТоваров", "Цены товаров",
            children=field("Dimension", "Товар", "Товар", "cfg:CatalogRef.Товары")
            + field("Resource", "Цена", "Цена за единицу", "xs:decimal"),
        ),
        "Subsystems/Торговля.xml": descriptor(
            "Subsystem", "Торговля", "Торговый отдел",
            references("Content", ["Catalog.Товары", "InformationRegister.ЦеныТоваров"]),
        ),
        "CommonModules/Ценообразование.xml": descriptor("CommonModule", "Ценообразование", "Ценообразование"),
        "CommonModules/Ценообразование/Ext/Module.bsl": PRICING,
    }  # fmt: skip


def zipped(files: Mapping[str, str | bytes], prefix: str = "src/cf/", compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """The files in a zip, in their order; the same files give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for path, content in files.items():
            member = zipfile.ZipInfo(prefix + path, (2026, 1, 1, 0, 0, 0))
            member.compress_type = compression
            archive.writestr(member, content)
    return buffer.getvalue()


def _synonym(text: str) -> str:
    item = f"<v8:item><v8:lang>ru</v8:lang><v8:content>{text}</v8:content></v8:item>" if text else ""
    return f"<Synonym>{item}</Synonym>"
