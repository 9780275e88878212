-- name: ensure_space
INSERT INTO space (model, dimensions, prefix, active)
SELECT %(model)s, %(dimensions)s, %(prefix)s, NOT EXISTS (SELECT FROM space WHERE active)
ON CONFLICT (model, dimensions, prefix) DO NOTHING

-- name: drop_unused_space
DELETE FROM space AS s
WHERE s.active AND NOT EXISTS (SELECT FROM chunk_vector AS v WHERE v.space = s.id)
    AND (s.model, s.dimensions, s.prefix) <> (%(model)s, %(dimensions)s, %(prefix)s)

-- name: active_space
SELECT id, model, dimensions, prefix FROM space WHERE active

-- name: chunks_without_vector
SELECT c.id FROM {chunk} AS c
WHERE c.source_id = %(source_id)s AND c.removed_in IS NULL
    AND NOT EXISTS (SELECT FROM {vector} AS v WHERE v.space = %(space)s AND v.chunk_id = c.id)
ORDER BY (c.facets ->> 'export') = 'true' DESC NULLS LAST, c.id

-- name: any_chunk_without_vector
SELECT EXISTS (
    SELECT FROM {chunk} AS c
    WHERE c.source_id = %(source_id)s AND c.removed_in IS NULL
        AND NOT EXISTS (SELECT FROM {vector} AS v WHERE v.space = %(space)s AND v.chunk_id = c.id)
) AS waiting

-- name: reuse_vectors
INSERT INTO {vector} (shard, space, chunk_id, source_id, embed_hash, vector)
SELECT %(shard)s, %(space)s, c.id, c.source_id, c.embed_hash, known.vector
FROM {chunk} AS c
CROSS JOIN LATERAL (
    SELECT v.vector FROM chunk_vector AS v WHERE v.space = %(space)s AND v.embed_hash = c.embed_hash LIMIT 1
) AS known
WHERE c.id = ANY (%(ids)s)
ON CONFLICT DO NOTHING

-- name: texts_to_embed
SELECT c.id, c.embed_hash, c.breadcrumb, c.text, c.tokens FROM {chunk} AS c
WHERE c.id = ANY (%(ids)s) AND c.removed_in IS NULL
    AND NOT EXISTS (SELECT FROM {vector} AS v WHERE v.space = %(space)s AND v.chunk_id = c.id)
ORDER BY array_position(%(ids)s::bigint[], c.id)

-- name: insert_vector
INSERT INTO {vector} (shard, space, chunk_id, source_id, embed_hash, vector)
VALUES (%(shard)s, %(space)s, %(chunk_id)s, %(source_id)s, %(embed_hash)s, %(vector)s)
ON CONFLICT DO NOTHING

-- name: build_vector_index
SELECT build_vector_index(%(shard)s, %(space)s::smallint, %(least_rows)s) AS built

-- name: note_vector_problem
UPDATE source SET vector_problem = %(problem)s
WHERE id = %(source_id)s AND vector_problem IS DISTINCT FROM %(problem)s

-- name: shards_of_sources
SELECT id AS source_id, shard FROM source WHERE head_release IS NOT NULL ORDER BY id
