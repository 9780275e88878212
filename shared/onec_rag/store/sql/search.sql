-- name: hold_releases
SELECT hold_releases()

-- name: resolve_scope
SELECT DISTINCT ON (source.id) source.id AS source_id, source.name AS source, release.no AS release_no, release.label,
    release.roots, release.chunks, source.shard, source.vector_problem
FROM source
JOIN release ON release.source_id = source.id AND release.state = 'ready'
WHERE (%(names)s::text[] IS NULL OR source.name = ANY (%(names)s))
    AND CASE
        WHEN %(as_of)s::timestamptz IS NOT NULL THEN release.ready_at <= %(as_of)s
        WHEN %(release)s::text IS NOT NULL THEN release.label = %(release)s OR release.no::text = %(release)s
        ELSE release.no = source.current_release END
ORDER BY source.id, release.no::text = %(release)s DESC, release.no DESC

-- name: word_statistics
SELECT word, documents, length FROM word_statistics(%(sources)s, %(releases)s, %(words)s)

-- name: search_chunks
SELECT * FROM search_chunks(
    %(sources)s, %(releases)s, %(words)s, %(queries)s::tsquery[], %(weights)s::real[], %(look_ups)s,
    %(query)s::halfvec, %(space)s::smallint, %(kinds)s, %(fqn_prefix)s, %(facets)s::jsonb[], %(exact)s,
    %(top)s)

-- name: count_chunks
SELECT count_chunks(%(sources)s, %(releases)s, %(kinds)s, %(fqn_prefix)s, %(facets)s::jsonb[], %(most)s) AS total

-- name: read_chunks
SELECT * FROM read_chunks(%(sources)s, %(releases)s, %(shards)s, %(ids)s)

-- name: read_surroundings
SELECT * FROM read_surroundings(%(sources)s, %(releases)s, %(shard)s, %(id)s)

-- name: vector_coverage
SELECT source_id, chunks, vectors FROM vector_coverage(%(sources)s, %(releases)s, %(space)s::smallint)

-- name: read_sources
SELECT source.id, source.name, source.kind, source.title, source.vector_problem,
    shown.no, shown.label, shown.counts, shown.chunks, shown.ready_at,
    (SELECT count(*) FROM release WHERE source_id = source.id AND state = 'ready') AS releases
FROM source
LEFT JOIN unnest(%(sources)s::integer[], %(releases)s::integer[]) AS scope (source_id, release_no)
    ON scope.source_id = source.id
LEFT JOIN release AS shown ON shown.source_id = source.id AND shown.no = scope.release_no
WHERE shown.no IS NOT NULL OR %(others)s
ORDER BY source.name

-- name: database_size
SELECT pg_database_size(current_database()) AS bytes

-- name: read_api_key
SELECT title, scopes, sources FROM read_api_key(%(id)s)

-- name: insert_api_key
INSERT INTO api_key (id, title, scopes, sources, expires_at)
VALUES (%(id)s, %(title)s, %(scopes)s, %(sources)s, %(expires_at)s)
