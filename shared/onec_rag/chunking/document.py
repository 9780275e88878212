"""The one door to the chunkers: a document of any kind → its chunks."""

from onec_rag.chunking.base import Context
from onec_rag.chunking.code import module_chunks
from onec_rag.chunking.metadata import object_chunks
from onec_rag.chunking.prose import prose_chunks
from onec_rag.model.chunk import Chunk
from onec_rag.model.code import Module
from onec_rag.model.document import Document
from onec_rag.model.metadata import MetadataObject


def chunks_of(document: Document, context: Context) -> list[Chunk]:
    """The chunks of a document in reading order."""
    match document.content:
        case MetadataObject() as owner:
            return list(object_chunks(document, owner, context))
        case Module() as module:
            return list(module_chunks(document, module, context))
        case prose:
            return list(prose_chunks(document, prose, context))
