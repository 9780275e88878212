-- name: delete_release
SELECT delete_release(%(source_id)s, %(no)s) AS refusal

-- name: find_source
SELECT id AS source_id,
    EXISTS (SELECT FROM upload WHERE source_name = source.name AND state = 'loading') AS loading,
    (SELECT count(*) FROM release WHERE source_id = source.id AND state = 'ready') AS releases
FROM source WHERE name = %(name)s

-- name: delete_source
SELECT delete_source(%(source_id)s) AS refusal

-- name: releases_beyond
SELECT no FROM (
    SELECT release.no, release.ready_at, row_number() OVER (ORDER BY release.no DESC) AS place,
        release.no IN (source.current_release, source.head_release) AS needed
    FROM release JOIN source ON source.id = release.source_id
    WHERE release.source_id = %(source_id)s AND release.state = 'ready'
) AS ready
WHERE NOT needed
    AND (%(keep)s::bigint IS NULL OR place > %(keep)s)
    AND (%(older_than)s::interval IS NULL OR ready_at < now() - %(older_than)s::interval)
ORDER BY no

-- name: sweep_outlines
SELECT sweep_outlines(%(most)s) AS swept

-- name: sweep_vectors
SELECT sweep_vectors(%(shard)s, %(most)s) AS swept
