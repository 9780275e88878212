import pytest

from onec_rag_local.environment import FUNCTIONS, QUEUES, Endpoints, Function, environment_of, process_environment

ENDPOINTS = Endpoints(
    dsns={role: f"postgresql://{role}@127.0.0.1/onec_rag" for role in ("migrator", "indexer", "api")},
    aws_url="http://127.0.0.1:5000",
    bucket="onec-rag",
    queue_urls={queue: f"http://127.0.0.1:5000/{queue}" for queue in QUEUES},
    embedding_url="http://127.0.0.1:6000/v1",
    embedding_key="local",
    embedding_model="multilingual-e5-small",
    embedding_dimensions=384,
    key_secret="secret",
)


def test_every_function_has_a_row() -> None:
    assert {(name, function.queue, function.role) for name, function in FUNCTIONS.items()} == {
        ("planner", "plan", "indexer"),
        ("indexer", "index", "indexer"),
        ("embedder", "embed", "indexer"),
        ("janitor", None, "indexer"),
        ("migrator", None, "migrator"),
        ("api", None, "api"),
    }
    assert FUNCTIONS["planner"].handler_path == "functions/planner/handler.py"
    assert QUEUES == {"plan": 300, "index": 300, "embed": 300}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_a_function_connects_as_its_own_role(function: Function) -> None:
    environment = environment_of(function, ENDPOINTS, environ={})
    assert environment["DATABASE_URL"] == f"postgresql://{function.role}@127.0.0.1/onec_rag"
    assert environment["AWS_LAMBDA_FUNCTION_NAME"] == function.name


def test_a_function_gets_all_that_the_template_gives() -> None:
    assert environment_of(FUNCTIONS["planner"], ENDPOINTS, environ={}) == {
        "DATABASE_URL": "postgresql://indexer@127.0.0.1/onec_rag",
        "ONEC_RAG_BUCKET": "onec-rag",
        "ONEC_RAG_PLAN_QUEUE_URL": "http://127.0.0.1:5000/plan",
        "ONEC_RAG_INDEX_QUEUE_URL": "http://127.0.0.1:5000/index",
        "ONEC_RAG_EMBED_QUEUE_URL": "http://127.0.0.1:5000/embed",
        "ONEC_RAG_EMBEDDING_BASE_URL": "http://127.0.0.1:6000/v1",
        "ONEC_RAG_EMBEDDING_API_KEY": "local",
        "ONEC_RAG_EMBEDDING_MODEL": "multilingual-e5-small",
        "ONEC_RAG_EMBEDDING_DIMENSIONS": "384",
        "ONEC_RAG_EMBEDDING_QUERY_PREFIX": "query: ",
        "ONEC_RAG_EMBEDDING_PASSAGE_PREFIX": "passage: ",
        "ONEC_RAG_EMBEDDING_WINDOW": "512",
        "ONEC_RAG_KEY_SECRET": "secret",
        "ONEC_RAG_JANITOR_STUCK_MINUTES": "25",
        "AWS_ENDPOINT_URL_S3": "http://127.0.0.1:5000",
        "AWS_ENDPOINT_URL_SQS": "http://127.0.0.1:5000",
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_LAMBDA_FUNCTION_NAME": "planner",
        "POWERTOOLS_SERVICE_NAME": "planner",
        "PYTHONUTF8": "1",
    }


def test_the_users_database_and_embeddings_win_and_nothing_else_does() -> None:
    theirs = {
        "DATABASE_URL": "postgresql://elsewhere/db",
        "ONEC_RAG_EMBEDDING_BASE_URL": "https://example.org/v1",
        "ONEC_RAG_EMBEDDING_QUERY_PREFIX": "",
        "ONEC_RAG_BUCKET": "another",
        "AWS_ACCESS_KEY_ID": "real",
        "HOME": "/home/user",
    }
    environment = environment_of(FUNCTIONS["api"], ENDPOINTS, environ=theirs)
    assert environment["DATABASE_URL"] == "postgresql://elsewhere/db"
    assert environment["ONEC_RAG_EMBEDDING_BASE_URL"] == "https://example.org/v1"
    assert "ONEC_RAG_EMBEDDING_QUERY_PREFIX" not in environment, "e5's prefixes are not the other endpoint's"
    assert environment["ONEC_RAG_BUCKET"] == "onec-rag"
    assert environment["AWS_ACCESS_KEY_ID"] == "local"
    assert "HOME" not in environment


def test_a_child_does_not_inherit_a_real_account() -> None:
    environment = process_environment({"AWS_DEFAULT_REGION": "us-east-1"}, {"AWS_PROFILE": "work", "PATH": "/bin"})
    assert environment["PATH"] == "/bin"
    assert environment["AWS_DEFAULT_REGION"] == "us-east-1"
    assert "AWS_PROFILE" not in environment


def test_no_proxy_stands_before_this_machine() -> None:
    environment = process_environment({}, {"HTTPS_PROXY": "http://proxy", "no_proxy": "intranet"})
    assert environment["HTTPS_PROXY"] == "http://proxy"
    assert environment["NO_PROXY"] == environment["no_proxy"] == "intranet,127.0.0.1,localhost"
