"""What the tests of the store share: a large seeded collection, and a reader of it as the role `api`."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from integration.databases import Dsns, Template
from integration.store.collection import Seeded, seed_collection
from onec_rag.model.search import Scoped
from onec_rag.store.database import Database


@dataclass(frozen=True, slots=True)
class Collection:
    """The seeded sources and where they are; nobody writes to them."""

    dsns: Dsns
    sources: tuple[Seeded, ...]

    def scope(self, *names: str) -> list[Scoped]:
        """The named sources in their only release, or all."""
        return [
            Scoped(item.source_id, item.name, 1, "1", {}, len(item.vectors), item.shard)
            for item in self.sources
            if not names or item.name in names
        ]


@pytest.fixture(scope="session")
def collection(template_database: Template) -> Iterator[Collection]:
    with template_database.clone() as dsns:
        yield Collection(dsns, tuple(seed_collection(dsns.superuser)))


@pytest.fixture
def reader(collection: Collection) -> Iterator[Database]:
    database = Database(collection.dsns.api, "tests")
    yield database
    database.close()
