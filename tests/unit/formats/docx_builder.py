"""Documents of Word from paragraphs: parts of XML in a zip, always the same bytes for the same words."""

import io
from collections.abc import Mapping
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_DRAWING = (
    '<w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">'
    '<wp:docPr id="1" name="Рисунок 1" descr="{}"/>'
    '<a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData>'
    '<pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill>'
    '<a:blip r:embed="picture"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>'
)


def paragraph(text: str, style: str = "", *, bullet: bool = False) -> str:
    """A paragraph; `text` may be runs of XML or plain words."""
    properties = f'<w:pStyle w:val="{style}"/>' if style else ""
    properties += '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>' if bullet else ""
    runs = text if text.startswith("<w:") else run(text)
    return f"<w:p><w:pPr>{properties}</w:pPr>{runs}</w:p>"


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def link(text: str, target_id: str) -> str:
    return f'<w:hyperlink r:id="{target_id}">{run(text)}</w:hyperlink>'


def picture(description: str) -> str:
    return f"<w:r>{_DRAWING.format(description)}</w:r>"


def table(*rows: tuple[str, ...]) -> str:
    cells = ("".join(f"<w:tc><w:tcPr/>{paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl><w:tblPr/>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def style(style_id: str, name: str, *, level: int | None = None, based_on: str = "") -> str:
    level_xml = "" if level is None else f'<w:pPr><w:outlineLvl w:val="{level}"/></w:pPr>'
    based = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    return f'<w:style w:type="paragraph" w:styleId="{style_id}"><w:name w:val="{name}"/>{based}{level_xml}</w:style>'


def docx(
    body: str,
    *,
    styles: str = "",
    links: Mapping[str, str] | None = None,
    parts: Mapping[str, str] = {},
    method: int = ZIP_DEFLATED,
) -> bytes:
    """A document; `links` maps ids to their targets, `parts` replaces or adds parts; `method` packs them."""
    relations = "".join(
        f'<Relationship Id="{name}" Type="{R}/hyperlink" Target="{target}" TargetMode="External"/>'
        for name, target in (links or {}).items()
    )
    relations += f'<Relationship Id="picture" Type="{R}/image" Target="media/image1.png"/>'
    named = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="png" ContentType="image/png"/><Default Extension="xml" ContentType="application/xml"/>'
        "</Types>",
        "_rels/.rels": _relationships(
            f'<Relationship Id="main" Type="{R}/officeDocument" Target="word/document.xml"/>'
        ),
        "word/_rels/document.xml.rels": _relationships(relations),
        "word/document.xml": f'<w:document xmlns:w="{W}" xmlns:r="{R}"><w:body>{body}</w:body></w:document>',
        "word/styles.xml": f'<w:styles xmlns:w="{W}">{styles}</w:styles>',
        "word/numbering.xml": f'<w:numbering xmlns:w="{W}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0">'
        '<w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
        "</w:numbering>",
        "word/media/image1.png": "a picture that nobody reads",
    }
    return packed(named | dict(parts), method)


def packed(parts: Mapping[str, str], method: int = ZIP_DEFLATED) -> bytes:
    """A zip of texts without times."""
    file = io.BytesIO()
    with ZipFile(file, "w") as archive:
        for name, text in parts.items():
            entry = ZipInfo(name)
            entry.create_system = 3
            archive.writestr(entry, text, method)
    return file.getvalue()


def _relationships(content: str) -> str:
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{content}</Relationships>'
