"""The client imports nothing of the product; these tests hold the two together."""

from typing import get_args
from urllib.parse import urlsplit

import pytest
from fastapi.routing import APIRoute
from pydantic import BaseModel

from onec_rag.api import embedding_schemas, schemas, status_schemas
from onec_rag.api.routes import answers, embedding, janitor, manifests, problems, search, sources, status, uploads
from onec_rag.model.chunk import ChunkKind
from onec_rag.model.search import Belonging as ProductBelonging
from onec_rag.model.search import Mode as ProductMode
from onec_rag.model.tasks import UploadState
from onec_rag_client import results
from onec_rag_client.api import OnecRag
from onec_rag_client.language import TEXTS
from onec_rag_client.settings import Language
from unit.client.fake_api import KEY, UPLOAD_ID, FakeApi, make_hit


@pytest.mark.parametrize(
    ("result", "schema"),
    [
        (results.Place, schemas.PlaceOut),
        (results.Hit, schemas.HitOut),
        (results.SearchResult, schemas.SearchOut),
        (results.Neighbour, schemas.NeighbourOut),
        (results.HitContext, schemas.HitContextOut),
        (results.KeyPoint, schemas.KeyPointOut),
        (results.AnswerSource, schemas.AnswerSourceOut),
        (results.Usage, schemas.UsageOut),
        (results.Answer, schemas.AnswerOut),
        (results.UploadForm, schemas.Form),
        (results.UploadLinks, schemas.UploadLinks),
        (results.Upload, schemas.UploadOut),
        (results.Problem, schemas.ProblemOut),
        (results.Manifest, schemas.ManifestOut),
        (results.Source, schemas.SourceOut),
        (results.Cost, embedding_schemas.CostOut),
        (results.Vectors, embedding_schemas.VectorsOut),
        (results.Model, embedding_schemas.ModelOut),
        (results.Embedding, embedding_schemas.EmbeddingOut),
        (results.JanitorRun, status_schemas.JanitorOut),
        (results.Status, status_schemas.StatusOut),
        (results.Tasks, status_schemas.TasksOut),
        (results.Files, status_schemas.FilesOut),
        (results.Chunks, status_schemas.ChunksOut),
        (results.Reason, status_schemas.ReasonOut),
        (results.UploadStatus, status_schemas.UploadStatusOut),
        (results.Problems, status_schemas.ProblemsOut),
    ],
)
def test_results_have_the_fields_of_the_schemas(result: type, schema: type[BaseModel]) -> None:
    assert set(result.__annotations__) == set(schema.model_fields)


def test_words_of_the_api_are_the_same_here() -> None:
    assert set(results.Mode) == {mode.value for mode in ProductMode}
    assert set(results.Belonging) == {value.value for value in ProductBelonging}
    assert set(results.Kind) == {kind.value for kind in ChunkKind}
    assert set(get_args(results.Upload.__annotations__["state"])) == {state.value for state in UploadState}
    assert set(UploadState) > results.FINAL_STATES


@pytest.mark.parametrize("language", ["ru", "en"])
def test_every_state_of_an_upload_has_its_text(language: Language) -> None:
    for state in UploadState:
        assert f"state.{state}" in TEXTS[language]
        assert state in results.FINAL_STATES or f"stage.{state}" in TEXTS[language]


def test_every_method_calls_a_route_that_the_api_has(fake: FakeApi) -> None:
    fake.hits = [make_hit()]
    with OnecRag(fake.url, KEY) as api:
        api.search("скидка")
        api.hit("1-7")
        api.answer("Как рассчитать скидку?")
        api.sources()
        api.status()
        api.uploads()
        api.announce("bsp", "cf.zip", 1)
        api.upload(UPLOAD_ID)
        api.problems(UPLOAD_ID)
        api.upload_status(UPLOAD_ID)
        api.page_of_problems(source="bsp")
        api.run_janitor()
        api.janitor_run(UPLOAD_ID)
        api.confirm_upload(UPLOAD_ID)
        fake.manifest = {"upload": UPLOAD_ID, "release": 1, "label": "1.0", "files": {}}
        api.manifest("bsp")
        api.vectors("bsp")
        api.release_vectors("bsp")
        api.retry_vectors("bsp")
        api.embedding()
        api.reembed("other", 6)
        api.abandon_reembedding()
        fake.parts[1] = b"a"
        api.complete(UPLOAD_ID, "multi", ['"0cc175b9c0f1b6a831c399e269772661"'])
    routes = [
        route
        for router in (
            search.router,
            answers.router,
            embedding.router,
            sources.router,
            uploads.router,
            manifests.router,
            status.router,
            problems.router,
            janitor.router,
        )
        for route in router.routes
        if isinstance(route, APIRoute)
    ]
    called = {(request.method, request.path) for request in fake.requests}
    assert len(called) == 22
    for method, path in called:
        assert any(
            method in (route.methods or ()) and route.path_regex.match(urlsplit(path).path.removeprefix("/v1"))
            for route in routes
        ), f"{method} {path}"
