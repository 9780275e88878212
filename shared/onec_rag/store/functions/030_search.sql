-- The only way of the role api to chunks. Every function intersects the scope it is given (sources and the release
-- of each, at the same place of two arrays) with allowed_sources(), so a forgotten filter shows nothing.

-- pgvector's settings are known to a session once its library is loaded; the first use loads it.
SELECT '[1]'::vector <=> '[1]'::vector;

CREATE OR REPLACE FUNCTION allowed_scope(scope_sources integer[], scope_releases integer[])
RETURNS TABLE (source_id integer, release_no integer, shard integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT asked.source_id, asked.release_no, source.shard
    FROM unnest(scope_sources, scope_releases) AS asked (source_id, release_no)
    JOIN source ON source.id = asked.source_id
    JOIN release ON release.source_id = asked.source_id AND release.no = asked.release_no AND release.state = 'ready'
    WHERE source.id = ANY (allowed_sources())
$$;

-- Document frequencies of the words in the scope; one row with word NULL carries the number of chunks and the sum
-- of their lengths (in words).
CREATE OR REPLACE FUNCTION word_statistics(scope_sources integer[], scope_releases integer[], words text[])
RETURNS TABLE (word text, documents bigint, length bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    WITH scope AS (SELECT * FROM allowed_scope(scope_sources, scope_releases))
    SELECT word.word, sum(word.documents)::bigint, NULL::bigint
    FROM scope
    JOIN word ON word.source_id = scope.source_id AND word.word = ANY (words) AND word.release_no <= scope.release_no
    GROUP BY word.word
    UNION ALL
    SELECT NULL, coalesce(sum(release.chunks), 0)::bigint, coalesce(sum(release.length), 0)::bigint
    FROM scope JOIN release ON release.source_id = scope.source_id AND release.no = scope.release_no
$$;

-- The lexical channel's candidates: one GIN look-up per word, the sum of the given weights as score; of equal ones the
-- shorter comes first, then its content decides, so that two databases with the same release answer alike. The caller
-- bounds the work by the words it passes. Nothing is detoasted.
CREATE OR REPLACE FUNCTION lexical_candidates(
    scope_sources integer[], scope_releases integer[], words tsquery[], weights real[],
    kinds text[], fqn_prefix text, facets jsonb[], top integer
)
RETURNS TABLE (shard integer, chunk_id bigint, score real, rank bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan SET jit = off
AS $$
DECLARE
    allowed integer[];
    releases integer[];
    shards integer[];
BEGIN
    SELECT array_agg(source_id), array_agg(release_no), array_agg(DISTINCT scope.shard)
    INTO allowed, releases, shards FROM allowed_scope(scope_sources, scope_releases) AS scope;
    RETURN QUERY
    SELECT found.shard, found.id, (sum(word.weight) / 1e6)::real,
        row_number() OVER (ORDER BY sum(word.weight) DESC, found.length, found.row_key, found.id)
    FROM (
        -- Whole numbers: a sum of floating ones depends on the order of its terms, and so would the order of the hits.
        SELECT asked.query, round(asked.weight * 1e6)::bigint AS weight
        FROM unnest(words, weights) AS asked (query, weight)
    ) AS word
    CROSS JOIN LATERAL (
        SELECT chunk.shard, chunk.id, chunk.length, chunk.row_key
        FROM chunk
        JOIN unnest(allowed, releases) AS scope (source_id, release_no) ON scope.source_id = chunk.source_id
        WHERE chunk.shard = ANY (shards)
            AND array_to_tsvector(akeys(chunk.terms)) @@ word.query
            AND chunk.added_in <= scope.release_no
            AND (chunk.removed_in IS NULL OR chunk.removed_in > scope.release_no)
            AND (kinds IS NULL OR chunk.kind = ANY (kinds))
            AND (fqn_prefix IS NULL OR lower(chunk.fqn) LIKE fqn_prefix)
            AND (lexical_candidates.facets IS NULL OR chunk.facets @> ANY (lexical_candidates.facets))
    ) AS found
    GROUP BY found.shard, found.id, found.length, found.row_key
    ORDER BY sum(word.weight) DESC, found.length, found.row_key, found.id
    LIMIT top;
END $$;

-- The vector channel's candidates by cosine distance. Exact: every vector of the scope that passes the filters is
-- compared. Else HNSW with an iterative scan, so that a filter inside never starves the result. The size of the
-- space is a number of our own table; no text of a caller becomes SQL.
CREATE OR REPLACE FUNCTION vector_candidates(
    scope_sources integer[], scope_releases integer[], query halfvec, in_space smallint,
    kinds text[], fqn_prefix text, facets jsonb[], exact boolean, top integer
)
RETURNS TABLE (shard integer, chunk_id bigint, distance real, rank bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = public, pg_temp SET jit = off
SET hnsw.ef_search = 120 SET hnsw.iterative_scan = strict_order SET hnsw.max_scan_tuples = 40000
AS $$
DECLARE
    allowed integer[];
    releases integer[];
    shards integer[];
    size integer := (SELECT dimensions FROM space WHERE id = in_space);
    distance_sql text;
BEGIN
    SELECT array_agg(source_id), array_agg(release_no), array_agg(DISTINCT scope.shard)
    INTO allowed, releases, shards FROM allowed_scope(scope_sources, scope_releases) AS scope;
    IF allowed IS NULL OR size IS NULL THEN
        RETURN;
    END IF;
    -- The index stands on the cast expression; without the cast it can't be used.
    distance_sql := CASE WHEN exact THEN 'v.vector <=> $1' ELSE format('v.vector::halfvec(%s) <=> $1', size) END;
    RETURN QUERY EXECUTE format(
        'SELECT near.shard, near.chunk_id, near.distance::real, row_number() OVER (ORDER BY near.distance, near.chunk_id)
         FROM (
            SELECT v.shard, v.chunk_id, %1$s AS distance
            FROM chunk_vector AS v
            JOIN chunk AS c ON c.shard = v.shard AND c.id = v.chunk_id
            WHERE v.shard = ANY ($4) AND c.shard = ANY ($4) AND v.space = %2$s AND c.source_id = ANY ($2)
                AND c.added_in <= $3[array_position($2, c.source_id)]
                AND (c.removed_in IS NULL OR c.removed_in > $3[array_position($2, c.source_id)])
                AND ($5 IS NULL OR c.kind = ANY ($5))
                AND ($6 IS NULL OR lower(c.fqn) LIKE $6)
                AND ($7 IS NULL OR c.facets @> ANY ($7))
            ORDER BY %1$s LIMIT %3$s
         ) AS near', distance_sql, in_space, top)
    USING query, allowed, releases, shards, kinds, fqn_prefix, facets;
END $$;

-- Both channels in one round trip: the union of their candidates with what BM25 needs of each (the frequencies of
-- the query's words by field, the length).
CREATE OR REPLACE FUNCTION search_chunks(
    scope_sources integer[], scope_releases integer[], words text[], queries tsquery[], weights real[], look_ups integer,
    query halfvec, in_space smallint, kinds text[], fqn_prefix text, facets jsonb[], exact boolean,
    top integer
)
RETURNS TABLE (
    shard integer, chunk_id bigint, lexical_rank bigint, lexical_score real, vector_rank bigint, distance real,
    frequencies hstore, length integer
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan
AS $$
BEGIN
    RETURN QUERY
    WITH lexical AS (
        SELECT * FROM lexical_candidates(
            scope_sources, scope_releases, queries[:look_ups], weights[:look_ups], kinds, fqn_prefix, facets, top)
    ), nearest AS (
        SELECT * FROM vector_candidates(
            scope_sources, scope_releases, query, in_space, kinds, fqn_prefix, facets, exact, top)
        WHERE query IS NOT NULL
    )
    SELECT chunk.shard, chunk.id, lexical.rank, lexical.score, nearest.rank, nearest.distance,
        slice(chunk.terms, words), chunk.length
    FROM lexical
    FULL JOIN nearest ON nearest.shard = lexical.shard AND nearest.chunk_id = lexical.chunk_id
    JOIN chunk ON chunk.shard = coalesce(lexical.shard, nearest.shard)
        AND chunk.id = coalesce(lexical.chunk_id, nearest.chunk_id);
END $$;

-- How many chunks pass the filters, counted no further than the limit: decides between HNSW and an exact scan.
CREATE OR REPLACE FUNCTION count_chunks(
    scope_sources integer[], scope_releases integer[], kinds text[], fqn_prefix text, facets jsonb[], count_limit integer
)
RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT count(*)::integer FROM (
        SELECT 1
        FROM allowed_scope(scope_sources, scope_releases) AS scope
        JOIN chunk ON chunk.shard = scope.shard AND chunk.source_id = scope.source_id
            AND chunk.added_in <= scope.release_no
            AND (chunk.removed_in IS NULL OR chunk.removed_in > scope.release_no)
        WHERE (kinds IS NULL OR chunk.kind = ANY (kinds)) AND (fqn_prefix IS NULL OR lower(chunk.fqn) LIKE fqn_prefix)
            AND (count_chunks.facets IS NULL OR chunk.facets @> ANY (count_chunks.facets))
        LIMIT count_limit
    ) AS counted
$$;

-- What a hit shows; lines come from the outline of the release that is read.
CREATE OR REPLACE FUNCTION read_chunks(
    scope_sources integer[], scope_releases integer[], shards integer[], chunk_ids bigint[]
)
RETURNS TABLE (
    chunk_id bigint, source_id integer, release_no integer, kind text, fqn text, symbol text, breadcrumb text,
    text text, facets jsonb, root text, path text, title text, section text, stale_since integer, lines jsonb
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT chunk.id, chunk.source_id, scope.release_no, chunk.kind, chunk.fqn, chunk.symbol, chunk.breadcrumb,
        chunk.text, chunk.facets, document.root, document.path, document.title, document.section,
        document.stale_since, outline.places -> left(replace(chunk.row_key::text, '-', ''), 12)
    FROM unnest(shards, chunk_ids) AS asked (shard, id)
    JOIN chunk ON chunk.shard = asked.shard AND chunk.id = asked.id
    JOIN allowed_scope(scope_sources, scope_releases) AS scope ON scope.source_id = chunk.source_id
        AND chunk.added_in <= scope.release_no
        AND (chunk.removed_in IS NULL OR chunk.removed_in > scope.release_no)
    JOIN document ON document.source_id = chunk.source_id AND document.id = chunk.document_id
        AND document.added_in <= scope.release_no
        AND (document.removed_in IS NULL OR document.removed_in > scope.release_no)
    LEFT JOIN outline ON outline.hash = document.outline_hash
$$;

-- Every chunk of the document that holds the asked one, in the order of its lines; what has no lines comes first.
CREATE OR REPLACE FUNCTION read_surroundings(
    scope_sources integer[], scope_releases integer[], in_shard integer, asked_id bigint
)
RETURNS TABLE (
    chunk_id bigint, kind text, fqn text, symbol text, breadcrumb text, text text, lines jsonb
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT chunk.id, chunk.kind, chunk.fqn, chunk.symbol, chunk.breadcrumb, chunk.text, place.lines
    FROM allowed_scope(scope_sources, scope_releases) AS scope
    JOIN chunk AS asked ON asked.shard = in_shard AND asked.id = asked_id AND asked.source_id = scope.source_id
        AND asked.added_in <= scope.release_no
        AND (asked.removed_in IS NULL OR asked.removed_in > scope.release_no)
    JOIN document ON document.source_id = asked.source_id AND document.id = asked.document_id
        AND document.added_in <= scope.release_no
        AND (document.removed_in IS NULL OR document.removed_in > scope.release_no)
    JOIN chunk ON chunk.shard = in_shard AND chunk.source_id = asked.source_id
        AND chunk.document_id = asked.document_id
        AND chunk.added_in <= scope.release_no
        AND (chunk.removed_in IS NULL OR chunk.removed_in > scope.release_no)
    LEFT JOIN outline ON outline.hash = document.outline_hash
    CROSS JOIN LATERAL (
        SELECT outline.places -> left(replace(chunk.row_key::text, '-', ''), 12) AS lines
    ) AS place
    ORDER BY (place.lines ->> 0)::integer NULLS FIRST, chunk.id
$$;

-- How many chunks of the scope there are and how many of them have a vector in the space.
CREATE OR REPLACE FUNCTION vector_coverage(scope_sources integer[], scope_releases integer[], in_space smallint)
RETURNS TABLE (source_id integer, chunks bigint, vectors bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT scope.source_id, count(*), count(v.chunk_id)
    FROM allowed_scope(scope_sources, scope_releases) AS scope
    JOIN chunk AS c ON c.shard = scope.shard AND c.source_id = scope.source_id
        AND c.added_in <= scope.release_no AND (c.removed_in IS NULL OR c.removed_in > scope.release_no)
    LEFT JOIN chunk_vector AS v ON v.shard = c.shard AND v.chunk_id = c.id AND v.space = in_space
    GROUP BY scope.source_id
$$;

REVOKE ALL ON FUNCTION allowed_scope, word_statistics, lexical_candidates, vector_candidates, search_chunks,
    count_chunks, read_chunks, read_surroundings, vector_coverage FROM PUBLIC;
GRANT EXECUTE ON FUNCTION word_statistics, search_chunks, count_chunks, read_chunks, read_surroundings, vector_coverage
    TO api;
