from onec_rag.formats.designer.flowchart import read_flowchart
from unit.formats.designer.parts import read_document, read_part

PATH = "BusinessProcesses/П/Ext/Flowchart.xml"
TITLE = "<Title><item><lang>ru</lang><content>{}</content></item></Title>"


def flowchart(*items: str) -> str:
    return f"<GraphicalSchema><Items>{''.join(items)}</Items></GraphicalSchema>"


def point(kind: str, name: str, more: str = "", events: str = "") -> str:
    return (
        f'<{kind} id="1" uuid="0"><Properties><Name>{name}</Name>{more}</Properties><Events>{events}</Events></{kind}>'
    )


def line(start: str, end: str, port: int = 4, title: str = "") -> str:
    return (
        f'<ConnectionLine id="2"><Properties><Name>Линия</Name>{TITLE.format(title) if title else "<Title/>"}<Connect>'
        f"<From><Item>{start}</Item><PortIndex>{port}</PortIndex></From><To><Item>{end}</Item></To></Connect>"
        "</Properties></ConnectionLine>"
    )


def test_route_points_say_their_kind_handlers_and_where_the_route_goes_on() -> None:
    part = read_part(
        read_flowchart,
        PATH,
        flowchart(
            point("Start", "Старт", events='<Event name="BeforeStart">СтартПередСтартом</Event>'),
            line("Старт", "Целы"),
            point("Condition", "Целы", "<TruePortIndex>1</TruePortIndex><FalsePortIndex>3</FalsePortIndex>"),
            line("Целы", "Расставить", 1),
            line("Целы", "Списать", 3, "Разбито"),
            line("Целы", ""),
            point("SubBusinessProcess", "Списать", "<Subprocess>BusinessProcess.Бой</Subprocess>"),
            '<Decoration id="9"><Properties><Name>Надпись</Name></Properties></Decoration>',
            point("Novelty", "Новое", events='<Event name="OnNovelty">Новое</Event><Event name="OnExecute"/>'),
        ),
    )
    assert part.fqn == "БизнесПроцесс.П"
    assert {item.name: item.properties for item in part.fields} == {
        "Старт": {"ВидТочкиМаршрута": "Старт", "ПередСтартом": "СтартПередСтартом", "Далее": "Целы"},
        "Целы": {"ВидТочкиМаршрута": "Условие", "Далее": "Расставить (Да), Списать (Разбито)"},
        "Списать": {"ВидТочкиМаршрута": "ВложенныйБизнесПроцесс", "ВложенныйБизнесПроцесс": "БизнесПроцесс.Бой"},
        "Новое": {"ВидТочкиМаршрута": "Novelty", "OnNovelty": "Новое"},
    }


def test_an_activity_says_its_task_and_whom_it_is_addressed_to() -> None:
    attribute = '<AddressingAttribute ref="Task.З.AddressingAttribute.{}"><Value>{}</Value></AddressingAttribute>'
    addressing = "".join(
        [
            attribute.format("Роль", "Catalog.Роли.Кассир"),
            attribute.format("Объект", ""),
            attribute.format("Исполнитель", "Catalog.Пользователи.EmptyRef"),
            attribute.format("Сумма", "5"),
        ]
    )
    more = (
        f"{TITLE.format('Принять')}<ToolTip/><TaskDescription>Принять коробки</TaskDescription><Explanation/>"
        f"<Group>true</Group><AddressingAttributes>{addressing}</AddressingAttributes>"
    )
    (field,) = read_part(read_flowchart, PATH, flowchart(point("Activity", "Принять", more))).fields
    assert field.synonyms == {"ru": "Принять"}
    assert field.properties == {
        "ВидТочкиМаршрута": "Действие",
        "НаименованиеЗадачи": "Принять коробки",
        "Групповая": "Да",
        "Адресация": "Роль = Справочник.Роли.Кассир, Сумма = 5",
    }


def test_a_map_without_points_has_no_part() -> None:
    assert read_document(read_flowchart, PATH, flowchart(line("А", "Б"))) is None
    assert read_document(read_flowchart, PATH, "<GraphicalSchema/>") is None
    assert read_document(read_flowchart, PATH, "<Help/>") is None
