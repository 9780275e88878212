import base64
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import Any

import httpx2
import numpy as np
import openai
import pytest

from onec_rag_local.embedding.model import EmbeddingModel
from onec_rag_local.embedding.server import EmbeddingServer

MODEL = "multilingual-e5-small"
ENDLESS = b"[" * 100_000


@pytest.fixture(scope="module")
def url(model: EmbeddingModel) -> Iterator[str]:
    with EmbeddingServer("127.0.0.1", 0, model) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server.url
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def http(url: str) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=url, timeout=60, trust_env=False) as client:
        yield client


@pytest.fixture(scope="module")
def client(url: str) -> Iterator[openai.OpenAI]:
    transport = httpx2.Client(trust_env=False)
    with openai.OpenAI(base_url=url, api_key="none", max_retries=0, http_client=transport) as client:
        yield client


def embed(http: httpx2.Client, texts: Any, **fields: Any) -> dict[str, Any]:
    content = json.dumps({"model": MODEL, "input": texts, **fields})  # as ASCII: httpx2 can't write lone surrogates
    response = http.post("/embeddings", content=content)
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    return body


def vectors(body: dict[str, Any]) -> np.ndarray[Any, Any]:
    return np.array([item["embedding"] for item in body["data"]], np.float32)


def test_a_text_gives_a_normalised_vector_of_384_numbers(http: httpx2.Client) -> None:
    body = embed(http, "query: как провести документ")

    (vector,) = vectors(body)
    assert vector.shape == (384,)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    assert body["model"] == MODEL
    assert body["usage"] == {"prompt_tokens": 8, "total_tokens": 8}
    assert body["truncated"] == []


def test_base64_holds_the_same_numbers_as_float(http: httpx2.Client) -> None:
    (floats,) = vectors(embed(http, "query: курс валюты", encoding_format="float"))

    (packed,) = embed(http, "query: курс валюты", encoding_format="base64")["data"]

    np.testing.assert_array_equal(np.frombuffer(base64.b64decode(packed["embedding"]), "<f4"), floats)


def test_a_batch_keeps_the_order_and_equals_single_texts(http: httpx2.Client) -> None:
    texts = ["длинный текст " * 40, "x", "средний текст", "x"]

    body = embed(http, texts)

    assert [item["index"] for item in body["data"]] == [0, 1, 2, 3]
    np.testing.assert_array_equal(vectors(body), [vectors(embed(http, text))[0] for text in texts])


def test_a_question_is_closest_to_its_own_passage(http: httpx2.Client) -> None:
    pairs = {
        "как загрузить курсы валют": "Загрузка курсов валют выполняется с сайта банка по расписанию.",
        "запретить изменение данных прошлого периода": "Дата запрета изменения не даёт править документы до этой даты.",
        "отправить письмо клиенту": "Сообщение электронной почты отправляется через учётную запись.",
        "кто имеет право на чтение справочника": "Права доступа пользователей задаются ролями и профилями групп.",
    }
    questions = vectors(embed(http, [f"query: {question}" for question in pairs]))
    passages = vectors(embed(http, [f"passage: {passage}" for passage in pairs.values()]))

    assert (questions @ passages.T).argmax(axis=1).tolist() == [0, 1, 2, 3]


def test_the_prefix_is_part_of_the_text(http: httpx2.Client) -> None:
    query, passage, bare = vectors(embed(http, ["query: валюты", "passage: валюты", "валюты"]))

    assert query @ passage < 0.999
    assert query @ bare < 0.999


def test_truncated_texts_are_named(http: httpx2.Client) -> None:
    body = embed(http, ["слово", "слово " * 600])

    assert body["truncated"] == [1]
    assert body["usage"]["prompt_tokens"] == 3 + 512


def test_nul_and_lone_surrogates_do_not_cut_a_text(http: httpx2.Client) -> None:
    broken = embed(http, ["до\0после", "до\ud800после"])

    np.testing.assert_array_equal(vectors(broken), vectors(embed(http, ["до после", "до?после"])))


@pytest.mark.parametrize(
    ("body", "status", "parameter"),
    [
        ({"model": MODEL}, 400, "input"),
        ({"model": MODEL, "input": ""}, 400, "input"),
        ({"model": MODEL, "input": []}, 400, "input"),
        ({"model": MODEL, "input": ["a", ""]}, 400, "input"),
        ({"model": MODEL, "input": [1, 2, 3]}, 400, "input"),
        ({"model": MODEL, "input": [[1, 2], [3]]}, 400, "input"),
        ({"model": MODEL, "input": {"text": "a"}}, 400, "input"),
        ({"model": MODEL, "input": ["a"] * 2049}, 400, "input"),
        ({"model": MODEL, "input": ["a", "a" * 100_001]}, 400, "input"),
        ({"model": MODEL, "input": "a", "dimensions": 256}, 400, "dimensions"),
        ({"model": MODEL, "input": "a", "dimensions": 384.5}, 400, "dimensions"),
        ({"model": MODEL, "input": "a", "dimensions": True}, 400, "dimensions"),
        ({"model": MODEL, "input": "a", "encoding_format": "hex"}, 400, "encoding_format"),
        ({"model": MODEL, "input": "a", "encoding_format": ["float"]}, 400, "encoding_format"),
        ({"input": "a"}, 400, "model"),
        ({"model": 7, "input": "a"}, 400, "model"),
        ({"model": "text-embedding-3-small", "input": "a"}, 404, "model"),
        ({"model": "\ud800", "input": "a"}, 404, "model"),
        (["a"], 400, None),
        (b"", 400, None),
        (b'{"model": ', 400, None),
        (b'{"model": "\xff"}', 400, None),
        (b'{"input": ' + b"9" * 5_000 + b"}", 400, None),
        (ENDLESS, 400, None),
    ],
)
def test_a_bad_request_is_refused_in_openai_shape_and_the_server_goes_on(
    http: httpx2.Client, body: Any, status: int, parameter: str | None
) -> None:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()

    response = http.post("/embeddings", content=content)

    assert response.status_code == status
    error = response.json()["error"]
    assert set(error) == {"message", "type", "param", "code"}
    assert error["type"] == "invalid_request_error"
    assert error["param"] == parameter
    assert vectors(embed(http, "a")).shape == (1, 384)


def test_the_longest_text_is_taken(http: httpx2.Client) -> None:
    assert embed(http, "слово " * 16_666)["truncated"] == [0]


@pytest.mark.parametrize(
    ("request_head", "status"),
    [
        (b"POST /v1/embeddings HTTP/1.1\r\nHost: x\r\n\r\n", 411),
        (b"POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
        (b"POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nContent-Length: \xb2\r\n\r\n", 411),
        (b"POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nContent-Length: 67108865\r\n\r\n", 413),
        (b"POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nContent-Length: " + b"9" * 5_000 + b"\r\n\r\n", 413),
        (b"DELETE /v1/embeddings HTTP/1.1\r\nHost: x\r\n\r\n", 405),
        (b"GET /v1/embeddings HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 404),
        (b"GET /" + b"a" * 70_000, 414),
        (b"nonsense from a port scanner\r\n\r\n", 400),
    ],
)
def test_bad_http_is_refused_in_openai_shape(url: str, request_head: bytes, status: int) -> None:
    address = httpx2.URL(url)
    with socket.create_connection((address.host, address.port or 0), timeout=30) as connection:
        connection.sendall(request_head)
        with connection.makefile("rb") as stream:
            answer = stream.read()

    head, _, content = answer.partition(b"\r\n\r\n")
    assert head.split()[1] == str(status).encode()
    assert json.loads(content)["error"]["type"] == "invalid_request_error"


def test_an_unknown_path_is_404_and_keeps_the_connection(http: httpx2.Client) -> None:
    assert http.post("/completions", json={"prompt": "x" * 1000}).status_code == 404
    assert http.get("/models/").json()["data"][0]["id"] == MODEL


def test_health_names_the_model(http: httpx2.Client, url: str) -> None:
    health = http.get(url.removesuffix("/v1") + "/health")

    assert health.json() == {"status": "ok", "model": MODEL, "dimensions": 384}


def test_the_official_client_embeds_300_texts(client: openai.OpenAI) -> None:
    texts = [f"query: текст номер {number}" for number in range(300)]

    response = client.embeddings.create(model=MODEL, input=texts)
    packed = client.embeddings.create(model=MODEL, input=texts[:3], encoding_format="base64")

    assert [item.index for item in response.data] == list(range(300))
    assert len({tuple(item.embedding) for item in response.data}) == 300
    assert isinstance(packed.data[0].embedding, str)
    assert response.usage.total_tokens > 300
    assert [model.id for model in client.models.list()] == [MODEL]


def test_the_official_client_raises_its_own_errors(client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match="no model 'other'"):
        client.embeddings.create(model="other", input="a")
    with pytest.raises(openai.BadRequestError, match="can only be 384"):
        client.embeddings.create(model=MODEL, input="a", dimensions=1536)


def test_many_clients_get_their_own_vectors(http: httpx2.Client) -> None:
    texts = [f"query: {number}" for number in range(40)]
    expected = vectors(embed(http, texts))

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda text: vectors(embed(http, text))[0], texts))

    np.testing.assert_array_equal(answers, expected)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_command_prints_its_address_and_ends_quietly(model: EmbeddingModel, model_cache: Path, number: int) -> None:
    command = [sys.executable, "-m", "onec_rag_local.embedding", "--cache", str(model_cache), "--threads", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["url"]
        assert httpx2.get(f"{url}/models", trust_env=False).status_code == 200
        process.send_signal(number)
        output, errors = process.communicate(timeout=30)

    assert (process.returncode, output, errors) == (0, "", "")
