-- name: hold_head
SELECT head_release FROM source WHERE id = %(source_id)s FOR NO KEY UPDATE

-- name: source_shard
SELECT id AS source_id, shard FROM source WHERE name = %(name)s

-- name: chunks_without_vector
SELECT c.id, c.removed_in <= %(head)s AS closed FROM {chunk} AS c
WHERE c.source_id = %(source_id)s AND c.added_in <= %(head)s
    AND NOT EXISTS (SELECT FROM {vector} AS v WHERE v.space = %(space)s AND v.chunk_id = c.id)
    AND NOT EXISTS (SELECT FROM refused_text AS r WHERE r.space = %(space)s AND r.embed_hash = c.embed_hash)
ORDER BY CASE WHEN c.removed_in <= %(head)s THEN c.removed_in END DESC NULLS FIRST,
    coalesce(c.facets ->> 'export' = 'true', false) DESC, c.kind = 'object' DESC, c.added_in DESC, c.id

-- name: estimate_vectors
SELECT count(*) AS texts, coalesce(sum(tokens), 0)::bigint AS tokens
FROM (
    SELECT DISTINCT ON (c.embed_hash) c.tokens FROM {chunk} AS c
    WHERE c.source_id = %(source_id)s AND c.added_in <= %(head)s
        AND NOT EXISTS (SELECT FROM {vector} AS v WHERE v.space = %(space)s AND v.chunk_id = c.id)
        AND NOT EXISTS (SELECT FROM chunk_vector AS v WHERE v.space = %(space)s AND v.embed_hash = c.embed_hash)
        AND NOT EXISTS (SELECT FROM refused_text AS r WHERE r.space = %(space)s AND r.embed_hash = c.embed_hash)
    ORDER BY c.embed_hash
) AS unknown

-- name: last_chunk_without_vector
-- From the end: what is embedded last is missing longest, so this ends at the first row until nearly all is there.
SELECT c.id FROM {chunk} AS c JOIN source ON source.id = c.source_id
WHERE c.source_id = %(source_id)s AND c.added_in <= source.head_release
    AND (c.removed_in IS NULL OR c.removed_in > source.head_release)
    AND NOT EXISTS (SELECT FROM {vector} AS v WHERE v.space = %(space)s AND v.chunk_id = c.id)
    AND NOT EXISTS (SELECT FROM refused_text AS r WHERE r.space = %(space)s AND r.embed_hash = c.embed_hash)
ORDER BY c.id DESC LIMIT 1

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
SELECT c.id, c.embed_hash, c.breadcrumb, c.text, c.tokens
FROM {chunk} AS c JOIN source ON source.id = c.source_id
WHERE c.id = ANY (%(ids)s)
    AND (%(closed)s OR c.removed_in IS NULL OR c.removed_in > source.head_release)
    AND NOT EXISTS (SELECT FROM {vector} AS v WHERE v.space = %(space)s AND v.chunk_id = c.id)
    AND NOT EXISTS (SELECT FROM refused_text AS r WHERE r.space = %(space)s AND r.embed_hash = c.embed_hash)
ORDER BY array_position(%(ids)s::bigint[], c.id)

-- name: claim_texts
SELECT hash FROM unnest(%(hashes)s::uuid[]) AS asked (hash)
WHERE pg_try_advisory_xact_lock(hashtextextended(hash::text, %(space)s))

-- name: refuse_text
INSERT INTO refused_text (space, embed_hash, source_id, fqn, reason)
SELECT %(space)s, c.embed_hash, c.source_id, c.fqn, %(reason)s FROM {chunk} AS c WHERE c.id = %(id)s
ON CONFLICT DO NOTHING

-- name: refused_texts
SELECT count(*) AS texts, min(fqn) AS fqn, min(reason) AS reason
FROM refused_text WHERE space = %(space)s AND source_id = %(source_id)s

-- name: insert_vector
INSERT INTO {vector} (shard, space, chunk_id, source_id, embed_hash, vector)
VALUES (%(shard)s, %(space)s, %(chunk_id)s, %(source_id)s, %(embed_hash)s, %(vector)s)
ON CONFLICT DO NOTHING

-- name: build_vector_index
SELECT build_vector_index(%(shard)s, %(space)s::smallint, %(least_rows)s) AS built

-- name: note_vector_problem
UPDATE source SET vector_problem = %(problem)s
WHERE id = %(source_id)s AND vector_problem IS DISTINCT FROM %(problem)s
    AND (%(problem)s::text IS NOT NULL OR NOT EXISTS (  -- what holds the vectors back is told until it is confirmed
        SELECT FROM vector_plan AS plan
        WHERE plan.source_id = source.id AND plan.release_no = source.head_release AND plan.held))

-- name: shards_of_sources
SELECT id AS source_id, shard FROM source WHERE head_release IS NOT NULL ORDER BY id
