"""Facts from other files of the release that the chunks of a task show: synonyms, relations, what was taken over."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from onec_rag.chunking.base import Context
from onec_rag.chunking.code import module_owner
from onec_rag.chunking.document import chunks_of
from onec_rag.formats.place import CONFIGURATION
from onec_rag.model.chunk import Chunk
from onec_rag.model.document import Document
from onec_rag.model.metadata import MetadataObject, form_fqns, template_fqns
from onec_rag.model.rows import KnownName
from onec_rag.model.tasks import Release
from onec_rag.store import content
from onec_rag.store.database import Connection


@dataclass(frozen=True, slots=True)
class Facts:
    """What a task needs to know; a context for each root, since a configuration and its extensions share names."""

    contexts: dict[str, Context]
    extensions: frozenset[str]
    taken_over: frozenset[tuple[str, str]]

    def chunks(self, root: str, document: Document) -> list[Chunk]:
        """The document's chunks; those of an extension tell what is its own and what it has taken over."""
        chunks = chunks_of(document, self.contexts[root])
        if root not in self.extensions:
            return chunks
        belonging = "adopted" if self.adopted(root, document) else "own"
        return [replace(chunk, facets={**chunk.facets, "belonging": belonging}) for chunk in chunks]

    def adopted(self, root: str, document: Document) -> bool:
        """Whether the document is of an object, form or template that the extension `root` has taken over."""
        return any((root, fqn) in self.taken_over for fqn in _owners(document.fqn))


def read_facts(connection: Connection, release: Release, documents: Sequence[Document], window: int) -> Facts:
    """The facts for these documents, as the release will show them."""
    fqns = {document.fqn for document in documents if document.fqn}
    relations = content.read_relations(connection, release, fqns)
    others = {other for pairs in relations.values() for _, other in pairs}
    objects = [item.content for item in documents if isinstance(item.content, MetadataObject)]
    linked = {link.target for item in objects for link in item.links}
    linked |= {child for item in objects for child in (*form_fqns(item), *template_fqns(item))}
    owners = {owner for fqn in fqns for owner in (module_owner(fqn), *_owners(fqn))}
    names = content.read_names(connection, release, fqns | others | linked | owners | {CONFIGURATION})
    return Facts(
        {root: Context(_titles(names, root), relations, window) for root in release.roots},
        frozenset(name.root for name in names if name.adopted and name.fqn == CONFIGURATION),
        frozenset((name.root, name.fqn) for name in names if name.adopted),
    )


def _owners(fqn: str) -> list[str]:
    """An FQN with those of what it lies in, longest first: a form's module, the form, its object."""
    words = fqn.split(".")
    return [".".join(words[:count]) for count in range(len(words), 1, -1)] or [fqn]


def _titles(names: Iterable[KnownName], root: str) -> dict[str, str]:
    """Synonyms as the root gives them; where it has none of its own (an adopted object has not), as another does."""
    titles: dict[str, str] = {}
    for name in sorted(names, key=lambda name: (_says_more(name), name.root == root)):
        titles[name.fqn] = name.title
    return titles


def _says_more(name: KnownName) -> bool:
    return name.title != name.fqn.rpartition(".")[2]
