"""What a file of a dumped external data processor or report is: `X.xml` beside its folder `X`."""

from onec_rag.formats.designer.paths import place_of
from onec_rag.formats.place import Place, PlaceOf
from onec_rag.model.metadata import KIND_BY_NAME


def external_place_of(kind: str) -> PlaceOf:
    """The places of a folder of external files of that kind: below the folder they are those of any object."""
    folder = KIND_BY_NAME[kind].plural

    def external_place(path: str) -> Place | None:
        return place_of(f"{folder}/{path}")

    return external_place
