"""One question through the steps of the design: embed, search, fuse, rerank, collapse, expand."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from onec_rag.embedding import Embedder
from onec_rag.errors import NotFound, PermanentError, RetryableError
from onec_rag.model.search import Candidate, HitContext, Mode, Scoped, SearchRequest, SearchResult
from onec_rag.retrieval.active_space import ActiveSpace
from onec_rag.retrieval.context import surround
from onec_rag.retrieval.coverage import SEARCH_SECONDS, CoverageMemory, share
from onec_rag.retrieval.fusion import fuse, ranks
from onec_rag.retrieval.hits import collapse, make_hit
from onec_rag.retrieval.keyword import plan_keywords
from onec_rag.retrieval.reranking.bm25 import bm25_scores
from onec_rag.store import search as store
from onec_rag.store.database import Connection, Database
from onec_rag.store.spaces import Space
from onec_rag.text.question import question_terms

CANDIDATES = 120
"""Of each channel."""
EXACT_BELOW = 5_000
"""Chunks that pass the filters; fewer are compared one by one, which is as fast as HNSW and exact."""
BM25_WEIGHT = 1.0


@dataclass(slots=True)
class Search:
    """The retrieval of one process; `embedder` is None where no endpoint is configured."""

    database: Database
    embedder: Embedder | None
    coverage: CoverageMemory = field(default_factory=CoverageMemory)
    active: ActiveSpace = field(default_factory=ActiveSpace)

    def run(self, request: SearchRequest, allowed: Sequence[str]) -> SearchResult:
        """Answers a request for a caller that may see the `allowed` sources (names, or `*`).

        Raises:
            NotFound: a source or release that does not exist or is not the caller's.
            RetryableError: the database is away.
        """
        timings, warnings = Timings(), list[str]()
        with timings.step("embed"):
            active = self.active.read(self.database, allowed)
            vector = self._embed(request, active, warnings)
        with self.database.transaction(allowed) as connection:
            with timings.step("scope"):
                scope = _scope(connection, request)
                space = active.id if active else None
            mode = request.mode if vector is not None else Mode.LEXICAL
            with timings.step("search"):
                candidates, bm25 = self._search(connection, request, mode, scope, vector, space)
            with timings.step("rank"):
                scores, channels = rank(candidates, bm25, mode)
            with timings.step("read"):
                best = list(scores)[: request.limit * 4]
                rows = store.read_chunks(connection, scope, [(item.shard, item.chunk_id) for item in best])
            with timings.step("coverage"):
                figures = self.coverage.of(
                    scope, space, lambda asked: store.vector_coverage(connection, asked, space), SEARCH_SECONDS
                )
        by_source = {item.source_id: item for item in scope}
        hits = collapse(
            make_hit(item.shard, rows[item.chunk_id], by_source, scores[item], channels)
            for item in best
            if item.chunk_id in rows
        )
        if mode is not Mode.LEXICAL and share(figures) < 1:
            warnings.append(f"vectors cover {share(figures):.0%} of the chunks; full text covers all")
            warnings += dict.fromkeys(f"{item.source}: {item.vector_problem}" for item in scope if item.vector_problem)
        return SearchResult(tuple(hits[: request.limit]), mode, share(figures), tuple(warnings), timings.milliseconds)

    def context(
        self,
        shard: int,
        chunk_id: int,
        release: str | None,
        neighbours: int,
        allowed: Sequence[str],
        as_of: datetime | None = None,
    ) -> HitContext:
        """A chunk with the whole of its symbol and its neighbours.

        Raises:
            NotFound: it is not there in that release, or not the caller's.
        """
        with self.database.transaction(allowed) as connection:
            scope = store.resolve_scope(connection, (), release, as_of)
            rows = store.read_chunks(connection, scope, [(shard, chunk_id)])
            around = store.read_surroundings(connection, scope, shard, chunk_id)
        if chunk_id not in rows:
            raise NotFound(f"hit {shard}-{chunk_id} is not here")
        by_source = {item.source_id: item for item in scope}
        return surround(shard, rows[chunk_id], around, by_source, neighbours)

    def _embed(self, request: SearchRequest, active: Space | None, warnings: list[str]) -> list[float] | None:
        """The question's vector in the active space."""
        if request.mode is Mode.LEXICAL or not request.query.strip():
            return None
        if self.embedder is None:
            warnings.append("no embedding endpoint is configured: answered from full text alone")
            return None
        embedder = self.embedder if active is None else self.embedder.for_space(active)
        if embedder is None:
            stored = active.model if active else ""
            warnings.append(f"answered from full text alone: stored vectors are of another model, {stored}")
            return None
        try:
            return embedder.query(request.query)
        except (RetryableError, PermanentError) as error:
            warnings.append(f"answered from full text alone: {error}")
            return None

    def _search(
        self,
        connection: Connection,
        request: SearchRequest,
        mode: Mode,
        scope: Sequence[Scoped],
        vector: list[float] | None,
        space: int | None,
    ) -> tuple[list[Candidate], list[float]]:
        """Candidates of the mode's channels and their BM25 scores."""
        terms = question_terms(request.query)
        statistics = store.word_statistics(connection, scope, list(terms))
        plan = plan_keywords(terms, statistics)
        lexical, exact = mode is not Mode.VECTOR, self._exact(connection, request, scope, vector)
        while True:
            look_ups = plan.look_ups if lexical else 0
            candidates = store.search_chunks(
                connection, scope, words=plan.words, weights=plan.weights, look_ups=look_ups, vector=vector,
                space=space, filters=request.filters, exact=exact, top=CANDIDATES,
            )  # fmt: skip
            # A filter may leave too little of the rarest words, or of what the vector index scans: then look further.
            few_words = lexical and _found(candidates, "lexical_rank") < request.limit and look_ups < len(plan.words)
            few_vectors = vector is not None and not exact and _found(candidates, "vector_rank") < request.limit
            if not few_words and not few_vectors:
                return candidates, bm25_scores(candidates, statistics, plan.idf)
            if few_words:
                plan = type(plan)(plan.words, plan.weights, len(plan.words))
            exact = exact or few_vectors

    @staticmethod
    def _exact(
        connection: Connection, request: SearchRequest, scope: Sequence[Scoped], vector: list[float] | None
    ) -> bool:
        if vector is None or sum(item.chunks for item in scope) <= EXACT_BELOW:
            return True
        if not request.filters:
            return False
        most = EXACT_BELOW + 1
        return store.count_chunks(connection, scope, request.filters, most) < most


def rank(
    candidates: Sequence[Candidate], bm25: Sequence[float], mode: Mode
) -> tuple[dict[Candidate, float], dict[str, dict[int, tuple[int, float]]]]:
    """Final scores, best first, and each channel's (rank, score) by chunk id.

    Lexical mode is BM25's order. The others are RRF over the channels; in hybrid mode BM25 then votes once more as
    the reranker, for whatever either channel brought up.
    """
    by_bm25 = dict(zip(candidates, bm25, strict=True))
    bm25_ranks = ranks(by_bm25)
    lexical = {item: item.lexical_rank for item in candidates if item.lexical_rank is not None}
    vector = {item: item.vector_rank for item in candidates if item.vector_rank is not None}
    if mode is Mode.LEXICAL:
        scores = {item: by_bm25[item] for item in sorted(bm25_ranks, key=bm25_ranks.__getitem__)}
    elif mode is Mode.VECTOR:
        scores = fuse({"vector": vector})
    else:
        fused = fuse({"lexical": lexical, "vector": vector})
        scores = fuse({"fused": ranks(fused), "bm25": bm25_ranks}, {"bm25": BM25_WEIGHT})
    channels = {
        "lexical": {item.chunk_id: (rank, item.lexical_score or 0.0) for item, rank in lexical.items()},
        "vector": {item.chunk_id: (rank, 1 - (item.distance or 0.0)) for item, rank in vector.items()},
        "bm25": {item.chunk_id: (rank, by_bm25[item]) for item, rank in bm25_ranks.items()},
    }
    return scores, channels


class Timings:
    """Milliseconds by step."""

    def __init__(self) -> None:
        self.milliseconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.milliseconds[name] = round((time.perf_counter() - begin) * 1000, 2)


def _scope(connection: Connection, request: SearchRequest) -> list[Scoped]:
    scope = store.resolve_scope(connection, request.sources, request.release, request.as_of)
    missing = set(request.sources) - {item.source for item in scope}
    if request.as_of is not None:
        what = f"a release as of {request.as_of.isoformat()} of "
    else:
        what = f"release {request.release} of " if request.release is not None else ""
    if missing or (what and not scope):
        raise NotFound(f"{what}{', '.join(sorted(missing)) or 'any source'} is not here")
    return scope


def _found(candidates: Sequence[Candidate], channel: str) -> int:
    return sum(getattr(item, channel) is not None for item in candidates)
