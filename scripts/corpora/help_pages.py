"""Single pages of the platform's help, as parsers of others keep them for their tests: what each has must be read.

What a page has is told by its markup alone, so that the reader is not measured by itself.
"""

import json
import re
from collections import Counter
from pathlib import Path

from scripts.corpora.binaries import open_binaries
from scripts.corpora.folder import list_files
from scripts.corpora.rows import Row, print_rows

from onec_rag.errors import PermanentError
from onec_rag.formats.hbk import without_footer
from onec_rag.formats.hbk_pages import read_hbk_page
from onec_rag.formats.html import decode_html
from onec_rag.model.document import Document
from onec_rag.model.platform import PlatformPage

_RUSSIAN = re.compile("[а-яё]", re.IGNORECASE)
_MARKS = {
    "pages with a title": re.compile('class="V8SH_pagetitle"'),
    "pages with syntax": re.compile(r'class="V8SH_chapter">\s*(?:Синтаксис|Syntax)\s*:'),
    "parameters": re.compile('class="V8SH_rubric"'),
    "pages with availability": re.compile(r'class="V8SH_chapter">\s*(?:Доступность|Availability)\s*:'),
}


def examine_help(folder: Path) -> int:
    """Prints the table of the pages and binary files below a folder; returns how many figures are off."""
    files = list_files(folder).files
    told, found, faults = Counter({"pages": 0}), Counter[str](), list[str]()
    for path, file in files.items():
        html = decode_html(file.read_bytes()) if path.endswith(".html") else ""
        if "V8SH_" not in html:
            continue
        wanted = _told(html)
        try:
            read = _found(read_hbk_page(*_as_expanded(path, html)))
        except PermanentError as error:
            read = Counter()
            faults.append(str(error))
        if read != wanted:
            faults.append(f"{path}: {dict(wanted)} are in the page, {dict(read)} were read")
        told += wanted
        found += read
    binaries, more = open_binaries(files)
    print(f"hbk: pages of the platform's help\n  {len(files):,} files")
    if not told["pages"]:
        told["pages"] = 1  # nothing found is no success
    off = print_rows([*(Row(what, found[what], count) for what, count in told.items()), *binaries])
    print("".join(f"  {fault}\n" for fault in (*faults, *more)), end="")
    return off


def _as_expanded(path: str, html: str) -> tuple[str, bytes]:
    """A page as `hbk.expand` would give it, of a book without a table of contents."""
    language, book = ("ru", "pages_ru") if _RUSSIAN.search(html) else ("en", "pages_root")
    page = {"book": book, "id": "", "language": language, "titles": {}, "headings": [], "html": without_footer(html)}
    return f"{book}.hbk/{path}.json", json.dumps(page).encode()


def _told(html: str) -> Counter[str]:
    counts = {what: len(mark.findall(html)) for what, mark in _MARKS.items()}
    return Counter({"pages": 1} | {what: n if what == "parameters" else min(n, 1) for what, n in counts.items()})


def _found(document: Document | None) -> Counter[str]:
    if document is None:
        return Counter()
    counts = {"pages": 1, "pages with a title": int(bool(document.title))}
    if isinstance(document.content, PlatformPage):
        syntax = document.content.syntax
        counts["pages with syntax"] = int(any(call.text for call in syntax))
        counts["parameters"] = sum(len(call.parameters) for call in syntax)
        counts["pages with availability"] = int(bool(document.content.availability))
    return Counter(counts)
