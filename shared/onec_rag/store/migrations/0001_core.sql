-- Tables, roles and walls of the store. A row with an interval is visible at release r when
-- added_in <= r AND (removed_in IS NULL OR removed_in > r). Hashes are SHA-256 cut to 128 bits, kept as uuid.

CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS hstore;

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'indexer') THEN CREATE ROLE indexer LOGIN; END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'api') THEN CREATE ROLE api LOGIN; END IF;
END $$;
GRANT USAGE ON SCHEMA public TO indexer, api;

CREATE TABLE source (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    kind text NOT NULL CHECK (kind IN ('configuration', 'extension', 'external', 'documentation', 'platform_help')),
    base_source_id integer REFERENCES source,
    title text NOT NULL DEFAULT '',
    shard integer NOT NULL DEFAULT 0,
    head_release integer,
    current_release integer,
    vector_problem text,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE upload (
    id uuid PRIMARY KEY,
    source_name text NOT NULL,
    bucket text NOT NULL,
    key text NOT NULL,
    version text,
    size bigint,
    label text,
    state text NOT NULL CHECK (state IN ('receiving', 'parked', 'loading', 'ready', 'unchanged', 'failed')),
    reason text,
    source_id integer REFERENCES source,
    release_no integer,
    pipeline integer,
    partial boolean NOT NULL DEFAULT false,
    members_read integer NOT NULL DEFAULT 0,
    members_skipped integer NOT NULL DEFAULT 0,
    requested_by text,
    created_at timestamptz NOT NULL DEFAULT now(),
    planned_at timestamptz,
    finished_at timestamptz,
    UNIQUE (bucket, key, version)
);
CREATE UNIQUE INDEX upload_one_load_per_source ON upload (source_name) WHERE state = 'loading';
CREATE INDEX upload_by_source ON upload (source_name, created_at DESC);

CREATE TABLE release (
    source_id integer NOT NULL REFERENCES source,
    no integer NOT NULL,
    label text NOT NULL,
    state text NOT NULL CHECK (state IN ('loading', 'ready', 'failed')),
    upload_id uuid REFERENCES upload,
    roots jsonb NOT NULL DEFAULT '{}',
    counts jsonb NOT NULL DEFAULT '{}',
    chunks bigint NOT NULL DEFAULT 0,
    length bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    ready_at timestamptz,
    PRIMARY KEY (source_id, no)
);

CREATE TABLE upload_task (
    upload_id uuid NOT NULL REFERENCES upload ON DELETE CASCADE,
    no integer NOT NULL,
    wave smallint NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'queued', 'done')),
    first_byte bigint NOT NULL,
    end_byte bigint NOT NULL,
    members jsonb,
    counts jsonb NOT NULL DEFAULT '{}',
    done_at timestamptz,
    PRIMARY KEY (upload_id, no)
);

CREATE TABLE file_problem (
    upload_id uuid NOT NULL REFERENCES upload ON DELETE CASCADE,
    path text NOT NULL,
    place text NOT NULL,
    reason text NOT NULL,
    PRIMARY KEY (upload_id, path, place, reason)
);

-- id is derived from root and path, so it is the same in every release; a changed file closes and inserts a row.
CREATE TABLE document (
    source_id integer NOT NULL REFERENCES source,
    id bigint NOT NULL,
    root text NOT NULL,
    path text NOT NULL,
    kind text NOT NULL,
    fqn text NOT NULL,
    title text NOT NULL,
    section text NOT NULL,
    file_hash uuid NOT NULL,
    outline_hash uuid NOT NULL,
    added_in integer NOT NULL,
    removed_in integer,
    stale_since integer,
    PRIMARY KEY (source_id, id, added_in)
);

-- Line ranges live here and nowhere else: first 12 hex digits of a chunk's row_key → [first, last].
CREATE TABLE outline (
    hash uuid PRIMARY KEY,
    places jsonb NOT NULL
);

-- row_key names document and content: a chunk is kept in the next release when its row_key is there again.
CREATE SEQUENCE chunk_id;
CREATE TABLE chunk (
    shard integer NOT NULL,
    id bigint NOT NULL DEFAULT nextval('chunk_id'),
    source_id integer NOT NULL,
    row_key uuid NOT NULL,
    document_id bigint NOT NULL,
    kind text NOT NULL,
    fqn text NOT NULL,
    symbol text NOT NULL,
    breadcrumb text NOT NULL,
    text text NOT NULL,
    facets jsonb NOT NULL,
    embed_hash uuid NOT NULL,
    tokens integer NOT NULL,
    length integer NOT NULL,
    terms hstore NOT NULL,
    added_in integer NOT NULL,
    removed_in integer
) PARTITION BY LIST (shard);

CREATE TABLE space (
    id smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    model text NOT NULL,
    dimensions integer NOT NULL CHECK (dimensions BETWEEN 1 AND 4000),
    prefix text NOT NULL,
    active boolean NOT NULL,
    UNIQUE (model, dimensions, prefix)
);
CREATE UNIQUE INDEX space_one_active ON space (active) WHERE active;

-- Insert-only and apart from chunk: filling it rewrites no chunk.
CREATE TABLE chunk_vector (
    shard integer NOT NULL,
    space smallint NOT NULL,
    chunk_id bigint NOT NULL,
    source_id integer NOT NULL,
    embed_hash uuid NOT NULL,
    vector halfvec NOT NULL
) PARTITION BY LIST (shard);

CREATE TABLE name (
    source_id integer NOT NULL REFERENCES source,
    document_id bigint NOT NULL,
    fqn text NOT NULL,
    kind text NOT NULL,
    title text NOT NULL,
    synonyms jsonb NOT NULL,
    added_in integer NOT NULL,
    removed_in integer,
    PRIMARY KEY (source_id, fqn, document_id, added_in)
);
CREATE INDEX name_by_document ON name (source_id, document_id);

CREATE TABLE membership (
    source_id integer NOT NULL REFERENCES source,
    document_id bigint NOT NULL,
    fqn text NOT NULL,
    relation text NOT NULL,
    other_fqn text NOT NULL,
    added_in integer NOT NULL,
    removed_in integer,
    PRIMARY KEY (source_id, fqn, relation, other_fqn, document_id, added_in)
);
CREATE INDEX membership_by_other ON membership (source_id, other_fqn);
CREATE INDEX membership_by_document ON membership (source_id, document_id);

-- documents: by how much the number of chunks that hold the word changed in this release.
CREATE TABLE word (
    source_id integer NOT NULL REFERENCES source,
    word text NOT NULL,
    release_no integer NOT NULL,
    documents integer NOT NULL,
    PRIMARY KEY (source_id, word, release_no) INCLUDE (documents)
);
CREATE TABLE word_of_task (
    upload_id uuid NOT NULL REFERENCES upload ON DELETE CASCADE,
    word text NOT NULL,
    documents integer NOT NULL
);
CREATE INDEX word_of_task_by_upload ON word_of_task (upload_id);

-- The key itself is checked by its HMAC; nothing secret is stored.
CREATE TABLE api_key (
    id text PRIMARY KEY,
    title text NOT NULL,
    scopes text[] NOT NULL,
    sources text[],
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz
);

GRANT SELECT, INSERT, UPDATE, DELETE ON
    source, upload, release, upload_task, file_problem, document, outline, name, membership, word, word_of_task, space
    TO indexer;
GRANT SELECT, INSERT, DELETE, UPDATE (removed_in) ON chunk TO indexer;
GRANT SELECT, INSERT, DELETE ON chunk_vector TO indexer;
GRANT USAGE ON SEQUENCE chunk_id TO indexer;
GRANT SELECT ON source, release, document, name, membership, upload, upload_task, file_problem, space TO api;
GRANT INSERT ON upload TO api;
