"""The one door to the chunkers: a document of any kind → its chunks."""

from onec_rag.chunking.base import Context
from onec_rag.chunking.code import module_chunks
from onec_rag.chunking.form import form_chunks
from onec_rag.chunking.metadata import object_chunks
from onec_rag.chunking.platform import platform_chunks
from onec_rag.chunking.prose import prose_chunks
from onec_rag.chunking.report import report_chunks
from onec_rag.chunking.rights import rights_chunks
from onec_rag.chunking.template import template_chunks
from onec_rag.model.chunk import Chunk
from onec_rag.model.code import Module
from onec_rag.model.document import Document, Prose
from onec_rag.model.form import Form
from onec_rag.model.metadata import MetadataObject
from onec_rag.model.platform import PlatformPage
from onec_rag.model.report import ReportSchema
from onec_rag.model.rights import Rights
from onec_rag.model.template import Template


def chunks_of(document: Document, context: Context) -> list[Chunk]:
    """The chunks of a document in reading order."""
    match document.content:
        case MetadataObject() as owner:
            return list(object_chunks(document, owner, context))
        case Module() as module:
            return list(module_chunks(document, module, context))
        case Form() as form:
            return list(form_chunks(document, form, context))
        case ReportSchema() as schema:
            return list(report_chunks(document, schema, context))
        case Rights() as rights:
            return list(rights_chunks(document, rights, context))
        case Template() as template:
            return list(template_chunks(document, template, context))
        case PlatformPage() as page:
            return list(platform_chunks(document, page, context))
        case Prose() as prose:
            return list(prose_chunks(document, prose, context))
