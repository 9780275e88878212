"""Batches, refused texts, and which endpoint belongs to a space."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from fakes import EmbeddingServer, Fault, vector_of
from onec_rag.embedding import MOST_INPUTS, PROBE, Embedder, Spending
from onec_rag.errors import EndpointError, PermanentError, RefusedError
from onec_rag.llm import Endpoint

TEXTS = [f"текст {n}" for n in range(16)]


@dataclass(frozen=True, slots=True)
class Stored:
    """A space, as the store knows it."""

    model: str = "hash"
    dimensions: int = 8
    prefix: str = "passage: "
    query_prefix: str = "query: "
    base_url: str | None = None


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as server:
        yield server


@pytest.fixture
def embedder(server: EmbeddingServer) -> Embedder:
    endpoint = Endpoint(server.url, "the settings' own", 5)
    return Embedder(endpoint, "hash", 8, "query: ", "passage: ", batch_tokens=100, next_key="next")


def test_batches_are_bounded_by_tokens_and_never_empty(embedder: Embedder) -> None:
    assert list(embedder.batches([60, 40, 1, 500, 10])) == [slice(0, 2), slice(2, 3), slice(3, 4), slice(4, 5)]
    assert list(embedder.batches([])) == []


def test_batches_are_bounded_by_the_protocols_number_of_inputs(embedder: Embedder) -> None:
    sizes = [part.stop - part.start for part in embedder.batches([0] * (MOST_INPUTS + 1))]
    assert sizes == [2_048, 1]


def test_refused_texts_are_found_by_halving(embedder: Embedder, server: EmbeddingServer) -> None:
    server.refused |= {"текст 3": 400, "текст 12": 413}
    found = embedder.passages_apart(TEXTS)
    assert [n for n, item in enumerate(found) if isinstance(item, str)] == [3, 12]
    assert "HTTP 413" in str(found[12])
    assert found[0] == pytest.approx(vector_of("passage: текст 0", 8))
    assert {count for text, count in server.texts.items() if text != f"passage: {PROBE}"} == {1}
    assert server.requests < 2 + 2 * 2 * 4


def test_without_a_refusal_one_request_is_enough(embedder: Embedder, server: EmbeddingServer) -> None:
    assert len(embedder.passages_apart(TEXTS)) == 16
    assert server.requests == 1


def test_an_endpoint_that_refuses_everything_is_no_fault_of_the_texts(
    embedder: Embedder, server: EmbeddingServer
) -> None:
    server.always = Fault.REFUSED
    with pytest.raises(RefusedError, match="HTTP 400"):
        embedder.passages_apart(TEXTS)
    assert server.requests == 2


def test_a_server_error_is_a_refusal_only_under_suspicion(embedder: Embedder, server: EmbeddingServer) -> None:
    server.refused["текст 3"] = 500
    with pytest.raises(EndpointError) as raised:
        embedder.passages_apart(TEXTS)
    assert raised.value.status == 500
    found = embedder.passages_apart(TEXTS, suspicious=True)
    assert [n for n, item in enumerate(found) if isinstance(item, str)] == [3]


@pytest.mark.parametrize("fault", [Fault.SERVER_ERROR, Fault.TOO_MANY, Fault.HANG_UP], ids=lambda fault: fault.name)
def test_a_server_that_is_down_refuses_no_text_even_under_suspicion(
    embedder: Embedder, server: EmbeddingServer, fault: Fault
) -> None:
    server.always = fault
    with pytest.raises(EndpointError):
        embedder.passages_apart(TEXTS, suspicious=True)


def test_a_vector_of_another_size_is_the_endpoints_fault(embedder: Embedder, server: EmbeddingServer) -> None:
    server.dimensions = 9
    with pytest.raises(PermanentError, match="9 dimensions") as raised:
        embedder.passages_apart(TEXTS)
    assert not isinstance(raised.value, RefusedError)


def test_a_space_of_the_settings_model_is_embedded_by_the_settings(embedder: Embedder) -> None:
    assert embedder.for_space(Stored()) is embedder
    assert embedder.for_space(Stored(base_url="http://elsewhere/v1")) is embedder
    assert embedder.for_space(Stored(model="another")) is None
    assert embedder.for_space(Stored(dimensions=9)) is None
    assert embedder.for_space(Stored(prefix="")) is None


def test_the_settings_key_is_never_sent_to_another_address(embedder: Embedder, server: EmbeddingServer) -> None:
    here = embedder.for_space(Stored("other", 8, "p: ", "q: ", server.url))
    assert here is not None
    here.query("где цена")
    assert server.keys == {"Bearer the settings' own"}
    assert list(server.texts) == ["q: где цена"]
    with EmbeddingServer() as elsewhere:
        there = embedder.for_space(Stored("other", 8, "p: ", "q: ", elsewhere.url))
        assert there is not None
        there.passages(["текст"])
        assert elsewhere.keys == {"Bearer next"}
        assert list(elsewhere.texts) == ["p: текст"]
    assert "next" not in repr(embedder)


def test_the_scarcer_limit_sets_the_pace_and_the_price_is_of_a_million() -> None:
    assert Spending().seconds(10**9) == 0
    assert Spending(requests_per_minute=60).seconds(5) == 1
    assert Spending(requests_per_minute=60, tokens_per_minute=600).seconds(50) == 5
    assert Spending().cost(5) is None
    assert replace(Spending(), price=0.02).cost(21_000_000) == pytest.approx(0.42)
