"""A question → the terms to look for, with their weights before IDF."""

from onec_rag.text.tokenize import STEM_MARK, terms_of

MOST_CHARACTERS = 4_000
MOST_TERMS = 96
EXACT_WEIGHT = 1.0
STEM_WEIGHT = 0.7


def question_terms(question: str) -> dict[str, float]:
    """Each distinct term of a question and its weight: an exact word counts more than its stem.

    Never fails: a question of signs alone gives no terms.
    """
    terms: dict[str, float] = {}
    for term in terms_of(question[:MOST_CHARACTERS]):
        if len(terms) >= MOST_TERMS:
            break
        terms[term] = STEM_WEIGHT if term.startswith(STEM_MARK) else EXACT_WEIGHT
    return terms
