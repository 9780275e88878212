"""The application: routes under `/v1`, errors as problems, health without a database."""

from fastapi import APIRouter, FastAPI

from onec_rag import __version__
from onec_rag.api import errors
from onec_rag.api.auth import KeyRing
from onec_rag.api.limits import BodyLimit
from onec_rag.api.routes import (
    answers,
    embedding,
    janitor,
    manifests,
    problems,
    releases,
    search,
    sources,
    status,
    uploads,
)
from onec_rag.api.services import Services


def create_app(services: Services) -> FastAPI:
    """The API over the given parts."""
    app = FastAPI(
        title="onec-rag",
        version=__version__,
        summary="Search over 1C:Enterprise configurations and documentation",
        docs_url="/docs",
        redoc_url=None,
    )
    app.state.services = services
    app.state.key_ring = KeyRing(services)
    errors.install(app)
    app.add_middleware(BodyLimit)

    @app.get("/healthz", tags=["service"])
    def health() -> dict[str, str]:
        """Alive; asks nobody else."""
        return {"status": "ok", "version": __version__}

    version_1 = APIRouter(prefix="/v1")
    for noun in (search, answers, uploads, problems, releases, manifests, sources, embedding, status, janitor):
        version_1.include_router(noun.router)
    app.include_router(version_1)
    return app
