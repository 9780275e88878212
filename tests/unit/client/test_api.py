import socket
from urllib.parse import parse_qs, urlsplit

import pytest

from onec_rag_client.api import RETRY_SECONDS, OnecRag
from onec_rag_client.errors import ApiError, Forbidden, NotFound, Unauthorized, Unavailable, Unreachable
from unit.client.fake_api import (
    KEY,
    UPLOAD_ID,
    Answer,
    FakeApi,
    make_hit,
    make_neighbour,
    make_source,
    make_written_answer,
    problem,
)


def call_sources(fake: FakeApi, key: str = KEY) -> tuple[object, list[float]]:
    """The outcome of one call, and the pauses that it made."""
    pauses: list[float] = []
    with OnecRag(fake.url, key, pause=pauses.append) as api:
        try:
            return api.sources(), pauses
        except ApiError as error:
            return error, pauses


def test_a_search_sends_what_is_asked_and_gives_the_hits(fake: FakeApi) -> None:
    fake.hits = [make_hit()]
    with OnecRag(f"{fake.url}/", KEY) as api:
        result = api.search(
            "скидка", mode="lexical", limit=3, sources=["bsp"], kinds=["procedure"], fqn_prefix="Отчет.А",
            sections=["Склад"], belonging="own",
        )  # fmt: skip
    assert result["hits"][0]["place"]["path"] == "CommonModules/Скидки/Ext/Module.bsl"
    assert result["mode"] == "lexical"
    [request] = fake.sent("POST", "/v1/search")
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.json == {
        "query": "скидка", "mode": "lexical", "limit": 3, "sources": ["bsp"], "release": None, "kinds": ["procedure"],
        "fqn_prefix": "Отчет.А", "sections": ["Склад"], "belonging": "own",
    }  # fmt: skip


def test_lone_surrogates_are_repaired_before_sending(fake: FakeApi) -> None:
    with OnecRag(fake.url, KEY) as api:
        api.search("скидка".encode().decode("ascii", "surrogateescape") + "\ud800")
    assert fake.requests[0].json["query"] == "скидка\N{REPLACEMENT CHARACTER}"


def test_a_hit_is_asked_for_by_its_id_with_its_release(fake: FakeApi) -> None:
    fake.hits, fake.after = [make_hit()], [make_neighbour()]
    with OnecRag(fake.url, KEY) as api:
        found = api.hit("1-7", release="3.1 «б»", neighbours=2)
        api.hit("1-7")
    assert (found["hit"], found["before"], found["after"]) == (make_hit(), [], [make_neighbour()])
    queries = [parse_qs(urlsplit(request.path).query) for request in fake.requests]
    assert queries == [{"neighbours": ["2"], "release": ["3.1 «б»"]}, {"neighbours": ["1"]}]


def test_an_id_can_not_leave_its_path(fake: FakeApi) -> None:
    with OnecRag(fake.url, KEY) as api, pytest.raises(NotFound):
        api.hit("../sources?x")
    assert fake.requests[0].path == "/v1/hits/..%2Fsources%3Fx?neighbours=1"


def test_a_question_is_sent_with_all_its_filters(fake: FakeApi) -> None:
    with OnecRag(fake.url, KEY) as api:
        answer = api.answer("Почему?", sources=["bsp"], release="3.1", kinds=["help"], limit=3, language="en")
    assert answer == make_written_answer()
    assert fake.requests[0].json == {
        "question": "Почему?", "sources": ["bsp"], "release": "3.1", "kinds": ["help"], "limit": 3, "language": "en",
    }  # fmt: skip


def test_uploads_are_listed_by_source(fake: FakeApi) -> None:
    with OnecRag(fake.url, KEY) as api:
        assert [upload["id"] for upload in api.uploads("bsp")] == [UPLOAD_ID]
        assert api.uploads("other") == []
        assert len(api.uploads()) == 1


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, ApiError), (401, Unauthorized), (403, Forbidden), (404, NotFound), (422, ApiError), (500, ApiError),
     (502, Unavailable), (504, Unavailable)],
)  # fmt: skip
def test_a_problem_document_becomes_its_exception(fake: FakeApi, status: int, kind: type[ApiError]) -> None:
    fake.failures.append(problem(status, "так нельзя"))
    error, pauses = call_sources(fake)
    assert type(error) is kind
    assert (error.status, error.detail) == (status, "так нельзя")
    assert pauses == []


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        (Answer(403, {"message": "Forbidden by the gateway"}), "Forbidden by the gateway"),
        (Answer(500, "<html>"), "500 Internal Server Error"),
        (Answer(500, "[]"), "500 Internal Server Error"),
        (Answer(200, "<html>"), "what answers at this address is not onec-rag"),
        (Answer(307, ""), "307 Temporary Redirect"),
    ],
)
def test_what_is_no_problem_document_is_an_error_all_the_same(fake: FakeApi, answer: Answer, detail: str) -> None:
    fake.failures.append(answer)
    error, _ = call_sources(fake)
    assert isinstance(error, ApiError)
    assert error.detail == detail


def test_a_service_that_wakes_up_is_asked_again_when_it_wants(fake: FakeApi) -> None:
    fake.sources = [make_source()]
    fake.failures.extend(
        [problem(503, "waking", Retry_After="7"), problem(429, "slower"), problem(503, "x", Retry_After="0")]
    )
    found, pauses = call_sources(fake)
    assert isinstance(found, list)
    assert pauses == [7, 2, 1]


def test_the_pauses_of_a_call_end_at_thirty_seconds_in_total(fake: FakeApi) -> None:
    fake.failures.extend(problem(503, "waking", Retry_After="9") for _ in range(10))
    error, pauses = call_sources(fake)
    assert isinstance(error, Unavailable)
    assert error.retry_after == 9
    assert pauses == [9, 9, 9]
    assert sum(pauses) <= RETRY_SECONDS


def test_a_caller_may_have_less_patience(fake: FakeApi) -> None:
    fake.failures.extend(problem(503, "waking", Retry_After="2") for _ in range(10))
    pauses: list[float] = []
    with OnecRag(fake.url, KEY, pause=pauses.append, patience=5) as api, pytest.raises(Unavailable):
        api.sources()
    assert pauses == [2, 2]


def test_a_service_that_wants_more_time_than_that_is_not_waited_for(fake: FakeApi) -> None:
    fake.failures.append(problem(503, "maintenance", Retry_After="3600"))
    error, pauses = call_sources(fake)
    assert isinstance(error, Unavailable)
    assert pauses == []


def test_a_wrong_key_is_not_retried(fake: FakeApi) -> None:
    error, _ = call_sources(fake, key="onecrag_other")
    assert type(error) is Unauthorized
    assert len(fake.requests) == 1


def test_a_key_that_no_header_can_hold_is_refused_at_once(fake: FakeApi) -> None:
    with pytest.raises(Unauthorized):
        OnecRag(fake.url, "ключ")
    assert fake.requests == []


@pytest.mark.parametrize("url", ["not a url", "http://", "ftp://127.0.0.1", "http://127.0.0.1:99999"])
def test_an_address_that_is_none_is_unreachable(url: str) -> None:
    with OnecRag(url) as api, pytest.raises(Unreachable):
        api.sources()


def test_a_port_where_nobody_listens_is_unreachable() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with OnecRag(f"http://127.0.0.1:{unused.getsockname()[1]}") as api, pytest.raises(Unreachable) as caught:
            api.sources()
    assert caught.value.status == 0


def test_a_server_that_never_answers_is_unreachable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with OnecRag(url, timeout=0.05) as api, pytest.raises(Unreachable):
            api.sources()


def test_a_company_proxy_is_not_asked_for_this_machine(fake: FakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert call_sources(fake)[0] == []


def test_a_part_goes_to_its_link_without_the_key_and_with_its_length(fake: FakeApi) -> None:
    with OnecRag(fake.url, KEY) as api:
        links = api.announce("bsp", "cf.zip", 6, "3.1")
        etag = api.put_part(links["parts"][0], iter([b"abc", b"def"]), 6)
        upload = api.complete(links["id"], links["multipart_id"] or "", [etag])
    assert fake.object == b"abcdef"
    assert upload["label"] == "3.1"
    assert fake.sent("PUT", "/bucket/1")[0].headers["Content-Length"] == "6"


def test_a_refused_part_does_not_show_its_signed_link(fake: FakeApi) -> None:
    fake.part_failures.append(403)
    with OnecRag(fake.url, KEY) as api, pytest.raises(ApiError) as caught:
        api.put_part(f"{fake.url}/bucket/1?signature=secret", iter([b"abc"]), 3)
    assert caught.value.status == 403
    assert "SlowDown" in caught.value.detail
    assert "secret" not in caught.value.detail
