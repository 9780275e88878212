"""What must hold for every document and its chunks; each check yields (what is wrong, where)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

import tree_sitter
import tree_sitter_hbk
from scripts.corpora.expected import OTHER_PROCEDURES

from onec_rag.bootstrap import PREFIX_TOKENS
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.code import Module, Procedure
from onec_rag.model.document import Document
from onec_rag.model.form import Form
from onec_rag.model.metadata import MetadataObject, walk_fields
from onec_rag.text.budget import estimate_tokens
from onec_rag_local.embedding.tokenizer import Tokenizer
from onec_rag_local.embedding.weights import MAX_TOKENS, find_weights, read_weights

WINDOW = MAX_TOKENS - PREFIX_TOKENS
"""Tokens that the indexing leaves to a chunk."""
PREFIX = "passage: "
MARKS = 2
"""`<s>` and `</s>`."""

Check = Callable[[Document, Sequence[Chunk]], Iterator[str]]
"""Yields where a document or its chunks are at fault."""


def check_names(document: Document, chunks: Sequence[Chunk]) -> Iterator[str]:
    """Whatever has a name in 1C has one here too."""
    names = [document.title]
    match document.content:
        case MetadataObject() as owner:
            names += [owner.name, owner.fqn, *(item.name for _, item in walk_fields(owner))]
        case Module() as module:
            names += [document.fqn, *(procedure.name for procedure in module.procedures)]
        case Form() as form:
            names += [document.fqn, *(attribute.name for attribute in form.attributes)]
            names += [command.name for command in form.commands]
            names += [item.name for item in form.items]
    if not all(names):
        yield document.fqn
    yield from (f"chunk at line {chunk.first_line}" for chunk in chunks if not chunk.breadcrumb.strip())


def check_window(_: Document, chunks: Sequence[Chunk]) -> Iterator[str]:
    for chunk in chunks:
        tokens = estimate_tokens(chunk.embedded_text)
        if tokens > WINDOW:
            yield f"{chunk.kind} {chunk.fqn} at line {chunk.first_line}: {tokens}"


def check_lines(document: Document, chunks: Sequence[Chunk]) -> Iterator[str]:
    """Every line of a module that is not blank is in a chunk of code that says so, but for the copyright header."""
    if not isinstance(document.content, Module):
        return
    lines = [line.strip() for line in document.content.lines]
    code = [chunk for chunk in chunks if chunk.kind is not ChunkKind.QUERY]
    missing = {number for number, line in enumerate(lines, 1) if line and number > document.content.copyright_last_line}
    for chunk in code:
        texts = {text.strip() for text in chunk.text.split("\n")}
        numbers = range(max(chunk.first_line, 1), min(chunk.last_line, len(lines)) + 1)
        missing.difference_update(number for number in numbers if lines[number - 1] in texts)
    for number in sorted(missing):
        # A line that is longer than the window is put together from its slices.
        slices = "".join(chunk.text for chunk in code if chunk.first_line <= number <= chunk.last_line)
        if lines[number - 1] not in slices.replace("\n", ""):
            yield f"line {number}: {lines[number - 1][:80]}"


def token_check() -> Check:
    """Counts with the tokenizer of multilingual-e5-small itself, its prefix and marks included."""
    tokenizer = Tokenizer(read_weights(find_weights()).vocabulary)

    def check_tokens(_: Document, chunks: Sequence[Chunk]) -> Iterator[str]:
        counts = tokenizer.count([PREFIX + chunk.embedded_text for chunk in chunks])
        for chunk, tokens in zip(chunks, counts, strict=True):
            if tokens + MARKS > MAX_TOKENS:
                yield f"{chunk.kind} {chunk.fqn} at line {chunk.first_line}: {tokens + MARKS}"

    return check_tokens


def oracle_check() -> Check:
    """Compares procedures with a full grammar of the language, tree-sitter-hbk."""
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_hbk.language()))

    def check_procedures(document: Document, _: Sequence[Chunk]) -> Iterator[str]:
        if not isinstance(document.content, Module):
            return
        tree = parser.parse("\n".join(document.content.lines).encode("utf-8", "replace"))
        ours = [_told(procedure) for procedure in document.content.procedures]
        theirs = list(_procedures(tree.root_node))
        if ours != theirs:
            difference = sorted(set(ours) ^ set(theirs), key=lambda told: (told[2], told))[:3]
            yield f"{document.fqn}: {difference}"

    return check_procedures


_Told = tuple[str, bool, int, int]  # name, export, first and last line


def _told(procedure: Procedure) -> _Told:
    return procedure.name, procedure.export, procedure.line, procedure.last_line


def _procedures(root: tree_sitter.Node) -> Iterator[_Told]:
    """Every procedure in its order; inside one without an error is no other."""
    nodes = [root]
    while nodes:
        node = nodes.pop()
        if node.type in ("procedure_definition", "function_definition"):
            parts = {child.type: child for child in node.children}
            name = (parts["identifier"].text or b"").decode()
            yield name, "EXPORT_KEYWORD" in parts, node.start_point[0] + 1, node.end_point[0] + 1
            if not node.has_error:
                continue
        nodes.extend(reversed(node.children))


CHECKS: Mapping[str, tuple[str, Callable[[], Check]]] = MappingProxyType(
    {
        "names": ("empty names", lambda: check_names),
        "window": ("chunks above the window", lambda: check_window),
        "lines": ("lines without a chunk", lambda: check_lines),
        "oracle": (OTHER_PROCEDURES, oracle_check),
        "tokens": ("chunks above the model's 512 tokens", token_check),
    }
)
"""By name: what a fault is called in the table, and what makes the check ready."""
