"""What the vectors of a release cost, and whether they may begin without being confirmed."""

from onec_rag.embedding import Spending
from onec_rag.observability import logger
from onec_rag.store import spending, vectors
from onec_rag.store.database import Connection
from onec_rag.store.spending import VectorPlan


def may_begin(connection: Connection, source_id: int, shard: int, space: int, head: int, terms: Spending) -> bool:
    """Plans the vectors of a release once, before the first of them is made; False while they are held.

    A release that may begin is not asked again. What is held is reckoned anew each time: the budget may be another.
    """
    known = spending.read_vector_plan(connection, source_id, head)
    if known is not None and not known.held:
        return True
    texts, tokens = vectors.estimate_vectors(connection, source_id, shard, space, head)
    plan = VectorPlan(texts, tokens, terms.cost(tokens), held=0 < terms.budget < tokens)
    spending.write_vector_plan(connection, source_id, head, plan)
    logger.info(
        "vectors planned",
        extra={"source": source_id, "release": head, "texts": texts, "tokens": tokens, "held": plan.held},
    )
    if plan.held or known is not None:
        problem = _why_held(connection, source_id, head, plan, terms) if plan.held else None
        vectors.note_vector_problem(connection, source_id, problem)
    return not plan.held


def _why_held(connection: Connection, source_id: int, head: int, plan: VectorPlan, terms: Spending) -> str:
    source, label = spending.describe_release(connection, source_id, head)
    price = f", price {plan.price:.2f}" if plan.price is not None else ""
    return (
        f"the vectors of release {label} wait for a confirmation: {plan.texts} texts, up to {plan.tokens} tokens{price}"
        f" are above the budget of {terms.budget} tokens (ONEC_RAG_EMBEDDING_BUDGET); to begin:"
        f" onec-rag vectors release {source} --confirm"
    )
