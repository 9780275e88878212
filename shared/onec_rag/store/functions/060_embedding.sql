-- What the role api may do about vectors: watch them, let them begin, ask for another model. And how an old model goes.

ALTER TABLE vector_plan ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS api_sees_its_sources ON vector_plan;
CREATE POLICY api_sees_its_sources ON vector_plan TO api
    USING (source_id = ANY ((SELECT allowed_sources())::integer[]));
DROP POLICY IF EXISTS indexer_sees_all ON vector_plan;
CREATE POLICY indexer_sees_all ON vector_plan TO indexer USING (true);

-- The current release of each allowed source, or of one of them, in one space. waiting: chunks without a vector that are not refused;
-- tokens: an upper estimate of what they still cost, equal texts counted as often as they stand there; per_minute:
-- texts embedded in the last five minutes, by the minute, of all sources together.
CREATE OR REPLACE FUNCTION vector_progress(in_space smallint, of_source text)
RETURNS TABLE (
    source_id integer, source text, release_no integer, chunks bigint, vectors bigint, refused bigint, waiting bigint,
    tokens bigint, held boolean, planned_texts bigint, planned_tokens bigint, planned_price double precision,
    per_minute double precision, problem text
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT source.id, source.name, source.current_release, counted.chunks, counted.vectors, counted.refused,
        counted.chunks - counted.vectors - counted.refused, counted.tokens,
        coalesce(plan.held, false), plan.texts, plan.tokens, plan.price, rate.per_minute, source.vector_problem
    FROM source
    LEFT JOIN vector_plan AS plan ON plan.source_id = source.id AND plan.release_no = source.head_release
    CROSS JOIN LATERAL (
        SELECT count(*) AS chunks, count(v.chunk_id) AS vectors,
            count(*) FILTER (WHERE v.chunk_id IS NULL AND r.embed_hash IS NOT NULL) AS refused,
            coalesce(sum(c.tokens) FILTER (WHERE v.chunk_id IS NULL AND r.embed_hash IS NULL), 0)::bigint AS tokens
        FROM chunk AS c
        LEFT JOIN chunk_vector AS v ON v.shard = c.shard AND v.chunk_id = c.id AND v.space = in_space
        LEFT JOIN refused_text AS r ON r.space = in_space AND r.embed_hash = c.embed_hash
        WHERE c.shard = source.shard AND c.source_id = source.id AND c.added_in <= source.current_release
            AND (c.removed_in IS NULL OR c.removed_in > source.current_release)
    ) AS counted
    CROSS JOIN (
        SELECT coalesce(sum(texts), 0) / greatest(extract(epoch FROM now() - min(minute)) / 60, 1) AS per_minute
        FROM embedded_minute WHERE space = in_space AND minute > now() - interval '5 minutes'
    ) AS rate
    WHERE source.id = ANY (allowed_sources()) AND source.current_release IS NOT NULL
        AND (of_source IS NULL OR source.name = of_source)
    ORDER BY source.name
$$;

-- Lets the vectors of a source's head begin whatever they cost; false where none were held.
CREATE OR REPLACE FUNCTION release_vectors(of_source integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '10s'
AS $$
BEGIN
    UPDATE vector_plan AS plan SET held = false
    FROM source WHERE source.id = of_source AND source.id = ANY (allowed_sources())
        AND plan.source_id = source.id AND plan.release_no = source.head_release AND plan.held;
    IF FOUND THEN
        UPDATE source SET vector_problem = NULL WHERE id = of_source;
        RETURN true;
    END IF;
    RETURN false;
END $$;

-- Forgets what the active endpoint refused of a source, so that it is tried once more; how many texts that were.
CREATE OR REPLACE FUNCTION retry_refused_texts(of_source integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
    forgotten integer;
BEGIN
    DELETE FROM refused_text AS r USING source, chunk AS c, space
    WHERE source.id = of_source AND source.id = ANY (allowed_sources()) AND c.shard = source.shard
        AND c.source_id = source.id AND c.embed_hash = r.embed_hash AND r.space = space.id AND space.active;
    GET DIAGNOSTICS forgotten = ROW_COUNT;
    IF forgotten > 0 THEN
        UPDATE source SET vector_problem = NULL WHERE id = of_source;
    END IF;
    RETURN forgotten;
END $$;

-- Begins to fill a space beside the active one; its id, or NULL where it is the active one or another is being filled.
-- One that was abandoned or replaced, and not yet removed, is taken up where it stood.
CREATE OR REPLACE FUNCTION begin_filling(
    of_model text, of_dimensions integer, of_prefix text, of_query_prefix text, of_base_url text, of_settings jsonb
) RETURNS smallint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '10s'
AS $$
    INSERT INTO space AS known (model, dimensions, prefix, query_prefix, base_url, stands_for, active, filling)
    SELECT of_model, of_dimensions, of_prefix, of_query_prefix, of_base_url, of_settings, false, true
    WHERE NOT EXISTS (
        SELECT FROM space AS other
        WHERE other.filling
            AND (other.model, other.dimensions, other.prefix) IS DISTINCT FROM (of_model, of_dimensions, of_prefix))
    ON CONFLICT (model, dimensions, prefix) DO UPDATE
    SET query_prefix = EXCLUDED.query_prefix, base_url = EXCLUDED.base_url, stands_for = EXCLUDED.stands_for,
        filling = true, retired_at = NULL, problem = NULL
    WHERE NOT known.active
    RETURNING id
$$;

-- Gives the space up that is being filled; its id, or NULL where there is none.
CREATE OR REPLACE FUNCTION abandon_filling() RETURNS smallint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '10s'
AS $$ UPDATE space SET filling = false, retired_at = '-infinity' WHERE filling RETURNING id $$;

-- Makes the space that is being filled the active one when no chunk of a current release lacks its vector, unless the
-- endpoint refuses the text or the source's vectors are held. False where it is not filled, or not yet.
CREATE OR REPLACE FUNCTION cut_over(to_space smallint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '10s'
AS $$
BEGIN
    PERFORM FROM space WHERE id = to_space AND filling FOR UPDATE;
    IF NOT FOUND OR EXISTS (
        SELECT FROM source
        JOIN chunk AS c ON c.shard = source.shard AND c.source_id = source.id AND c.added_in <= source.current_release
            AND (c.removed_in IS NULL OR c.removed_in > source.current_release)
        WHERE NOT EXISTS (
                SELECT FROM chunk_vector AS v WHERE v.shard = c.shard AND v.space = to_space AND v.chunk_id = c.id)
            AND NOT EXISTS (SELECT FROM refused_text AS r WHERE r.space = to_space AND r.embed_hash = c.embed_hash)
            AND NOT EXISTS (
                SELECT FROM vector_plan AS plan
                WHERE plan.source_id = source.id AND plan.release_no = source.head_release AND plan.held)
    ) THEN
        RETURN false;
    END IF;
    UPDATE space SET active = false, retired_at = now() WHERE active;
    UPDATE space SET active = true, filling = false, problem = NULL WHERE id = to_space;
    UPDATE source SET vector_problem = NULL WHERE vector_problem IS NOT NULL AND NOT EXISTS (
        SELECT FROM vector_plan AS plan
        WHERE plan.source_id = source.id AND plan.release_no = source.head_release AND plan.held);
    RETURN true;
END $$;

-- One step of removing spaces that were replaced longer ago than `grace`, or abandoned: an index (by itself, since
-- its lock keeps readers out), or a bounded number of vectors, or at last the space. Whether there is more to do.
-- A second one that comes meanwhile does nothing.
CREATE OR REPLACE FUNCTION remove_retired_space(most integer, grace interval) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
    gone smallint;
    index_name text;
BEGIN
    IF NOT pg_try_advisory_xact_lock(0x1C_7A8) THEN
        RETURN false;
    END IF;
    -- The lock keeps a reembedding from taking the space up again while it goes.
    SELECT id INTO gone FROM space
    WHERE NOT active AND NOT filling AND coalesce(retired_at, '-infinity') <= now() - grace
    ORDER BY id LIMIT 1 FOR UPDATE;
    IF gone IS NULL THEN
        RETURN false;
    END IF;
    SELECT relname INTO index_name FROM pg_class
    WHERE relkind = 'i' AND relname ~ format('^chunk_vector_\d+_hnsw_%s$', gone) LIMIT 1;
    IF index_name IS NOT NULL THEN
        EXECUTE format('DROP INDEX %I', index_name);
        RETURN true;
    END IF;
    DELETE FROM chunk_vector AS v
    USING (SELECT shard, chunk_id FROM chunk_vector WHERE space = gone LIMIT most) AS old
    WHERE v.shard = old.shard AND v.space = gone AND v.chunk_id = old.chunk_id;
    IF NOT FOUND THEN
        DELETE FROM space WHERE id = gone;
    END IF;
    RETURN true;
END $$;

REVOKE ALL ON FUNCTION vector_progress, release_vectors, retry_refused_texts, begin_filling, abandon_filling, cut_over,
    remove_retired_space FROM PUBLIC;
GRANT EXECUTE ON FUNCTION vector_progress, release_vectors, retry_refused_texts, begin_filling, abandon_filling
    TO api, indexer;
GRANT EXECUTE ON FUNCTION cut_over, remove_retired_space TO indexer;
