-- A model that is filled beside the active one; the pace, the plan and the refusals of embedding.

-- base_url: where the endpoint of a reembedding is; without one the settings alone say. stands_for: the settings'
-- model, size and prefix under which the reembedding was begun; they are accepted in its place.
ALTER TABLE space
    ADD COLUMN base_url text,
    ADD COLUMN query_prefix text NOT NULL DEFAULT '',
    ADD COLUMN stands_for jsonb,
    ADD COLUMN filling boolean NOT NULL DEFAULT false,
    ADD COLUMN retired_at timestamptz,
    ADD COLUMN problem text;
CREATE UNIQUE INDEX space_one_filling ON space (filling) WHERE filling;

-- One row a space, shared by all embedders. free_at: when the next request may be made at the allowed rate;
-- not_before: until when the endpoint is left alone after so many failures in a row.
CREATE TABLE embedding_pace (
    space smallint PRIMARY KEY REFERENCES space ON DELETE CASCADE,
    free_at timestamptz NOT NULL DEFAULT '-infinity',
    not_before timestamptz NOT NULL DEFAULT '-infinity',
    failures integer NOT NULL DEFAULT 0
);

-- What was embedded in the last hour, for estimates.
CREATE TABLE embedded_minute (
    space smallint NOT NULL REFERENCES space ON DELETE CASCADE,
    minute timestamptz NOT NULL,
    texts integer NOT NULL,
    tokens bigint NOT NULL,
    PRIMARY KEY (space, minute)
);

-- A text that the endpoint does not take by itself; it is not sent again. source_id and fqn: where it was met.
CREATE TABLE refused_text (
    space smallint NOT NULL REFERENCES space ON DELETE CASCADE,
    embed_hash uuid NOT NULL,
    source_id integer NOT NULL,
    fqn text NOT NULL,
    reason text NOT NULL,
    refused_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (space, embed_hash)
);

-- What the vectors of a release cost when it was activated, and whether they wait for a confirmation.
CREATE TABLE vector_plan (
    source_id integer NOT NULL,
    release_no integer NOT NULL,
    texts bigint NOT NULL,
    tokens bigint NOT NULL,
    price double precision,
    held boolean NOT NULL,
    planned_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (source_id, release_no),
    FOREIGN KEY (source_id, release_no) REFERENCES release ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE, DELETE ON embedding_pace, embedded_minute, refused_text, vector_plan TO indexer;
GRANT SELECT ON vector_plan TO api;
