import pytest

from onec_rag.model.search import Statistics
from onec_rag.retrieval.keyword import plan_keywords

STATISTICS = Statistics(1000, 50.0, {"редкое": 2, "среднее": 40, "частое": 600, "везде": 1000})


def test_the_rarest_words_come_first() -> None:
    plan = plan_keywords(dict.fromkeys(["везде", "редкое", "частое", "среднее"], 1.0), STATISTICS)
    assert plan.words == ("редкое", "среднее", "частое", "везде")
    assert list(plan.weights) == sorted(plan.weights, reverse=True)
    assert plan.idf == dict(zip(plan.words, plan.weights, strict=True))


def test_words_that_never_occur_are_left_out() -> None:
    plan = plan_keywords({"нет": 1.0, "редкое": 1.0}, STATISTICS)
    assert plan.words == ("редкое",)


@pytest.mark.parametrize(("work", "look_ups"), [(1, 1), (2, 1), (42, 2), (641, 2), (642, 3), (1642, 4), (9999, 4)])
def test_look_ups_stay_within_the_work(work: int, look_ups: int) -> None:
    terms = dict.fromkeys(["везде", "частое", "среднее", "редкое"], 1.0)
    assert plan_keywords(terms, STATISTICS, work).look_ups == look_ups


def test_the_rarest_word_is_looked_up_however_frequent_it_is() -> None:
    assert plan_keywords({"везде": 1.0}, STATISTICS, work=1).look_ups == 1


def test_no_words_are_no_plan() -> None:
    plan = plan_keywords({}, STATISTICS)
    assert (plan.words, plan.weights, plan.look_ups, plan.idf) == ((), (), 0, {})
    assert plan_keywords({"редкое": 1.0}, Statistics(0, 0.0, {})).look_ups == 0
