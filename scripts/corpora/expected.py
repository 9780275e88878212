"""What each corpus is known to hold; the figures were counted apart from our readers, on the versions named here."""

from collections.abc import Mapping
from dataclasses import dataclass, field

OTHER_PROCEDURES = "modules whose procedures are not the grammar's"


@dataclass(frozen=True, slots=True)
class Corpus:
    """A checkout that is read as a whole. `name` is its option; `expected` are exact counts by what is counted.

    `faults` are the counts of faults that are not ours, by what the fault is called; all others must not be.
    `malformed` are files that are broken in the repository itself: the end of their path → what is wrong with them.
    `seconds` is the time of one core in which it must be read and chunked; a slower run is told, but is no fault.
    """

    name: str
    about: str
    expected: Mapping[str, int] = field(default_factory=dict)
    faults: Mapping[str, int] = field(default_factory=dict)
    malformed: Mapping[str, str] = field(default_factory=dict)
    seconds: float | None = None


CORPORA = (
    Corpus(
        "bsp",
        "1c-syntax/ssl_3_1, БСП 3.1.12.238: a hierarchical dump",
        {
            "procedures": 38_310,
            "exported procedures": 13_922,
            "objects": 2_724,
            "Attribute fields": 2_310,
            "Dimension fields": 401,
            "Resource fields": 513,
            "EnumValue fields": 443,
            "TabularSection fields": 137,
            "form documents": 874,
            "help documents": 543,
            "rights documents": 107,
        },
        seconds=60,
    ),
    Corpus("edt", "SeiOkami/OneS_ssl_eng: projects of EDT", {"procedures": 29_534, "exported procedures": 10_342}),
    Corpus(
        "ut",
        "Axioma-OneS/agro-grain-south, УТ 11.4.12.81: the largest dump; a mirror may lack files of 4 MiB and more",
        {
            "procedures": 126_378,
            "exported procedures": 38_926,
            "objects": 8_973,
            "Attribute fields": 19_061,
            "Dimension fields": 1_746,
            "Resource fields": 1_731,
            "EnumValue fields": 4_810,
            "TabularSection fields": 1_071,
            "help files": 1_841,
        },
        # It loses 13 procedures of 301 in ОбменСБанкамиСлужебный; the other module has a name with ё.
        faults={OTHER_PROCEDURES: 2},
    ),
    Corpus(
        "vanessa",
        "Pr-Mex/vanessa-automation: external data processors, flat dumps in lib/CF",
        # For tree-sitter-hbk 0.1.11 a name ends before ё (12 modules); in UILogToScript it loses 15 procedures of 25.
        faults={OTHER_PROCEDURES: 13},
    ),
    Corpus("mdclasses", "1c-syntax/mdclasses: one of every kind, as a dump and as a project of EDT"),
    Corpus("other", "any other checkout: what must hold for every one"),
)
CORPUS_BY_NAME = {corpus.name: corpus for corpus in CORPORA}
