"""`/v1/search` and `/v1/hits` over HTTP."""

from typing import Any

import pytest

from integration.api.conftest import Face, problem_of

pytestmark = pytest.mark.integration

PRICE = "ОбщийМодуль.Ценообразование.ЦенаТовара"


def search(face: Face, **body: Any) -> dict[str, Any]:
    response = face.post("/v1/search", {"query": "цена товара на дату"} | body, "reader")
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def test_a_hit_has_everything_that_leads_to_its_place(face: Face) -> None:
    found = search(face, mode="lexical")
    hit = found["hits"][0]
    assert hit["fqn"] == PRICE
    assert hit["kind"] == "procedure"
    assert hit["text"].startswith("// Возвращает цену товара на дату.")
    assert hit["place"] == {
        "source": "shop", "release": "1.0.1", "path": "src/cf/CommonModules/Ценообразование/Ext/Module.bsl",
        "first_line": 3, "last_line": 8,
    }  # fmt: skip
    assert set(hit["ranks"]) == set(hit["scores"]) == {"lexical", "bm25"}
    assert hit["facets"] == {"export": True, "module_kind": "CommonModule", "region": "ПрограммныйИнтерфейс"}
    assert hit["stale"] is False
    assert (found["mode"], found["coverage"], found["warnings"]) == ("lexical", 1.0, [])
    assert set(found["timings"]) >= {"scope", "search", "read"}


def test_hybrid_is_the_mode_unless_told(face: Face) -> None:
    found = search(face)
    assert found["mode"] == "hybrid"
    assert any("vector" in hit["ranks"] for hit in found["hits"])


def test_filters_are_taken_in_both_languages(face: Face) -> None:
    for prefix in ("РегистрСведений.ЦеныТоваров", "InformationRegister.ЦеныТоваров"):
        hits = search(face, fqn_prefix=prefix)["hits"]
        assert hits
        assert all(hit["fqn"].startswith("РегистрСведений.ЦеныТоваров") for hit in hits)
    assert {hit["kind"] for hit in search(face, kinds=["field", "object"])["hits"]} == {"field", "object"}
    assert {hit["place"]["source"] for hit in search(face, sources=["docs", "docs"])["hits"]} == {"docs"}
    assert search(face, release="1.0.1")["hits"]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({}, "body.query"),
        ({"query": "x", "qwery": "y"}, "body.qwery"),
        ({"query": 5}, "body.query"),
        ({"query": "я" * 20_001}, "body.query"),
        ({"query": "x", "limit": 0}, "body.limit"),
        ({"query": "x", "limit": 51}, "body.limit"),
        ({"query": "x", "limit": "ten"}, "body.limit"),
        ({"query": "x", "mode": "magic"}, "body.mode"),
        ({"query": "x", "kinds": ["everything"]}, "body.kinds.0"),
        ({"query": "x", "sources": ["a,b"]}, "body.sources.0"),
        ({"query": "x", "sources": ["*"]}, "body.sources.0"),
        ({"query": "x", "sources": ["я" * 64]}, "body.sources.0"),
        ({"query": "x", "release": "1" * 101}, "body.release"),
        ({"query": "x", "release": "\0"}, "body.release"),
        ({"query": "x", "fqn_prefix": "a\0b"}, "body.fqn_prefix"),
        ({"query": "x", "fqn_prefix": "я" * 501}, "body.fqn_prefix"),
        ([], "body"),
        ("x", "body"),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_body_is_told_by_place(face: Face, body: Any, place: str) -> None:
    told = problem_of(face.post("/v1/search", body), 422)
    assert [row["place"] for row in told["errors"]] == [place]
    assert place in told["detail"]


@pytest.mark.parametrize("limit", [1, 50])
def test_the_bounds_of_the_limit_are_allowed(face: Face, limit: int) -> None:
    assert len(search(face, limit=limit)["hits"]) <= limit


@pytest.mark.parametrize("content", [b"{", b"", b"\xff\xfe", b"null", b'{"query": NaN}', b'{"query": "\\ud800"}'])
def test_a_body_that_is_no_json_is_a_problem(face: Face, content: bytes) -> None:
    headers = face.headers("reader") | {"Content-Type": "application/json"}
    response = face.client.post("/v1/search", content=content, headers=headers)
    assert 400 <= response.status_code < 500
    problem_of(response, response.status_code)


@pytest.mark.parametrize(
    "body",
    [
        {"query": ""},
        {"query": "\0"},
        {"query": "я" * 20_000},
        {"query": "x", "fqn_prefix": "%_\\'"},
        {"query": "x", "fqn_prefix": ""},
    ],
    ids=["empty", "NUL", "long", "prefix signs", "prefix empty"],
)
def test_odd_but_valid_bodies_are_answered(face: Face, body: dict[str, Any]) -> None:
    assert face.post("/v1/search", body).status_code == 200


@pytest.mark.parametrize("release", ["нет такого", "'", "9" * 30])
def test_a_release_that_is_not_here_is_not_found(face: Face, release: str) -> None:
    problem_of(face.post("/v1/search", {"query": "x", "release": release}), 404)


def test_a_hit_is_opened_with_its_neighbours(face: Face) -> None:
    hit = search(face, mode="lexical")["hits"][0]
    opened = face.get(f"/v1/hits/{hit['id']}?neighbours=2").json()
    assert opened["hit"]["fqn"] == PRICE
    assert opened["hit"]["text"] == hit["text"]
    assert [item["symbol"] for item in opened["after"]] == ["ОкруглитьЦену", "ПроверитьНаценку"]
    assert face.get(f"/v1/hits/{hit['id']}?release=1.0.1").status_code == 200
    problem_of(face.get(f"/v1/hits/{hit['id']}?release=2"), 404)


@pytest.mark.parametrize("hit_id", ["0-999999", "7-1", "999999999-1", "0-999999999999999999"])
def test_a_hit_that_is_not_there_is_not_found(face: Face, hit_id: str) -> None:
    problem_of(face.get(f"/v1/hits/{hit_id}"), 404)


@pytest.mark.parametrize(
    "path", ["/v1/hits/x", "/v1/hits/0-1?neighbours=21", "/v1/hits/0-1?neighbours=-1", "/v1/hits/0-1?release=%00"]
)
def test_a_wrong_hit_is_told(face: Face, path: str) -> None:
    problem_of(face.get(path), 422)
