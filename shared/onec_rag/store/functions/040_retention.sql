-- Activating an old release, and taking releases and sources away. These run with the owner's rights, since the role
-- api changes no table, and touch allowed sources alone. What is refused is told by a word; NULL means done. Every
-- change begins with the lock of the source's row, which activating a loaded release and planning a load take too.

-- A reader holds the releases that it has found until its transaction ends, and nothing is taken away before. One lock
-- for all sources: deletions are rare, and wait at their very end.
CREATE OR REPLACE FUNCTION hold_releases() RETURNS void
LANGUAGE sql SET search_path = public, pg_temp
AS $$ SELECT pg_advisory_xact_lock_shared(0x1C_7A7) $$;

CREATE OR REPLACE FUNCTION await_readers() RETURNS void
LANGUAGE sql SET search_path = public, pg_temp
AS $$ SELECT pg_advisory_xact_lock(0x1C_7A7) $$;

CREATE OR REPLACE FUNCTION activate_old_release(of_source integer, of_release integer) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '10s'
AS $$
BEGIN
    -- The lock first: a release that is being deleted meanwhile is gone for the next statement.
    PERFORM FROM source WHERE id = of_source AND id = ANY (allowed_sources()) FOR NO KEY UPDATE;
    IF NOT FOUND OR NOT EXISTS (SELECT FROM release WHERE source_id = of_source AND no = of_release) THEN
        RETURN 'missing';
    ELSIF NOT EXISTS (SELECT FROM release WHERE source_id = of_source AND no = of_release AND state = 'ready') THEN
        RETURN 'unready';
    END IF;
    UPDATE source SET current_release = of_release WHERE id = of_source;
    RETURN NULL;
END $$;

-- Rows that no other ready release shows go, bounded by the ready releases before and after. Nothing that stays is
-- numbered anew: intervals and words of a deleted release belong to the ready release after it, as its own do.
CREATE OR REPLACE FUNCTION delete_release(of_source integer, of_release integer) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '10s' SET work_mem = '64MB'
AS $$
DECLARE
    held source;
    its_state text;
    before integer;
    after integer;
    rows_of text;
BEGIN
    SELECT * INTO held FROM source WHERE id = of_source AND id = ANY (allowed_sources()) FOR NO KEY UPDATE;
    SELECT state INTO its_state FROM release WHERE source_id = held.id AND no = of_release;
    IF its_state IS NULL THEN
        RETURN 'missing';
    ELSIF its_state = 'loading' THEN
        RETURN 'loading';
    ELSIF of_release = held.current_release THEN
        RETURN 'current';
    ELSIF of_release = held.head_release
        AND EXISTS (SELECT FROM release WHERE source_id = of_source AND state = 'loading') THEN
        RETURN 'compared';
    END IF;
    IF its_state = 'ready' THEN
        SELECT coalesce(max(no) FILTER (WHERE no < of_release), 0), min(no) FILTER (WHERE no > of_release)
        INTO before, after FROM release WHERE source_id = of_source AND state = 'ready';
        FOREACH rows_of IN ARRAY ARRAY[format('chunk_%s', held.shard), 'document', 'name', 'membership'] LOOP
            EXECUTE format(
                'DELETE FROM %I WHERE source_id = $1 AND added_in > $2 AND ($3 IS NULL OR removed_in <= $3)', rows_of)
            USING of_source, before, after;
            IF after IS NULL THEN  -- the head: what it closed is open again
                EXECUTE format('UPDATE %I SET removed_in = NULL WHERE source_id = $1 AND removed_in > $2', rows_of)
                USING of_source, before;
            END IF;
        END LOOP;
        IF after IS NULL THEN
            UPDATE document SET stale_since = NULL WHERE source_id = of_source AND stale_since > before;
            DELETE FROM word WHERE source_id = of_source AND release_no > before;
        ELSE
            PERFORM fold_words(of_source, before, of_release, after);
        END IF;
    END IF;
    PERFORM await_readers();
    DELETE FROM release WHERE source_id = of_source AND no = of_release;
    UPDATE source
    SET head_release = CASE WHEN head_release = of_release THEN before ELSE head_release END,
        deleted_release = greatest(deleted_release, of_release)
    WHERE id = of_source;
    RETURN NULL;
END $$;

-- Differences of words of a deleted release and of the ready one after it become one row a word. Which number it has
-- does not matter, nobody reads between them any more; it keeps the earlier one, since of the first release, which has
-- every word, most rows are not touched so.
CREATE OR REPLACE FUNCTION fold_words(of_source integer, before integer, deleted integer, after integer) RETURNS void
LANGUAGE sql SET search_path = public, pg_temp
AS $$
    WITH later AS (
        DELETE FROM word AS late USING word AS early
        WHERE late.source_id = of_source AND late.release_no > deleted AND late.release_no <= after
            AND early.source_id = of_source AND early.release_no > before AND early.release_no <= deleted
            AND late.word = early.word
        RETURNING late.word, late.documents
    )
    UPDATE word AS early SET documents = early.documents + later.documents FROM later
    WHERE early.source_id = of_source AND early.release_no > before AND early.release_no <= deleted
        AND early.word = later.word;
    DELETE FROM word WHERE source_id = of_source AND release_no > before AND release_no <= deleted AND documents = 0;
$$;

-- All of a source: its uploads too, so that the same bytes can be loaded again.
CREATE OR REPLACE FUNCTION delete_source(of_source integer) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '10s'
AS $$
DECLARE
    held source;
BEGIN
    SELECT * INTO held FROM source WHERE id = of_source AND id = ANY (allowed_sources());
    IF held.id IS NULL THEN
        RETURN 'missing';
    END IF;
    -- Uploads before the source, in the order of whoever plans and activates.
    PERFORM FROM upload WHERE source_name = held.name FOR UPDATE;
    IF EXISTS (SELECT FROM upload WHERE source_name = held.name AND state = 'loading') THEN
        RETURN 'loading';
    END IF;
    PERFORM FROM source WHERE id = of_source FOR UPDATE;
    IF held.shard = 0 THEN
        WITH gone AS (DELETE FROM chunk_0 WHERE source_id = of_source RETURNING id)
        DELETE FROM chunk_vector_0 AS v USING gone, space WHERE v.space = space.id AND v.chunk_id = gone.id;
    END IF;
    DELETE FROM document WHERE source_id = of_source;
    DELETE FROM name WHERE source_id = of_source;
    DELETE FROM membership WHERE source_id = of_source;
    DELETE FROM word WHERE source_id = of_source;
    PERFORM await_readers();
    IF held.shard <> 0 THEN
        EXECUTE format('DROP TABLE IF EXISTS chunk_%1$s, chunk_vector_%1$s', held.shard);
    END IF;
    DELETE FROM release WHERE source_id = of_source;
    DELETE FROM upload WHERE source_name = held.name;
    UPDATE source SET base_source_id = NULL WHERE base_source_id = of_source;
    DELETE FROM source WHERE id = of_source;
    RETURN NULL;
END $$;

-- Outlines that no document refers to; returns how many went. The lock waits for loads that have met one of them and
-- not stored their document yet; it is the only one of its transaction, and none is taken where there is nothing to do.
CREATE OR REPLACE FUNCTION sweep_outlines(most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
    swept integer;
BEGIN
    IF NOT EXISTS (SELECT FROM outline WHERE NOT EXISTS (SELECT FROM document WHERE outline_hash = outline.hash)) THEN
        RETURN 0;
    END IF;
    LOCK TABLE outline IN SHARE ROW EXCLUSIVE MODE;
    DELETE FROM outline WHERE hash IN (
        SELECT hash FROM outline WHERE NOT EXISTS (SELECT FROM document WHERE outline_hash = outline.hash) LIMIT most
    );
    GET DIAGNOSTICS swept = ROW_COUNT;
    RETURN swept;
END $$;

-- Vectors of chunks that are gone; returns how many went. One whose text a chunk of the shard still waits for stays:
-- it is taken over by the embedder, not made again.
CREATE OR REPLACE FUNCTION sweep_vectors(in_shard integer, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
    swept integer;
BEGIN
    IF to_regclass(format('chunk_%s', in_shard)) IS NULL THEN
        RETURN 0;
    END IF;
    EXECUTE format(
        'WITH waiting AS MATERIALIZED (
            SELECT c.embed_hash FROM chunk_%1$s AS c
            WHERE c.removed_in IS NULL AND NOT EXISTS (
                SELECT FROM chunk_vector_%1$s AS v JOIN space ON space.id = v.space AND space.active
                WHERE v.chunk_id = c.id
            )
        ), orphan AS (
            SELECT v.space, v.chunk_id FROM chunk_vector_%1$s AS v
            WHERE NOT EXISTS (SELECT FROM chunk_%1$s AS c WHERE c.id = v.chunk_id)
                AND NOT EXISTS (SELECT FROM waiting WHERE waiting.embed_hash = v.embed_hash)
            LIMIT $1
        )
        DELETE FROM chunk_vector_%1$s AS v USING orphan
        WHERE v.space = orphan.space AND v.chunk_id = orphan.chunk_id', in_shard)
    USING most;
    GET DIAGNOSTICS swept = ROW_COUNT;
    RETURN swept;
END $$;

REVOKE ALL ON FUNCTION await_readers, activate_old_release, delete_release, fold_words, delete_source, sweep_outlines,
    sweep_vectors FROM PUBLIC;
GRANT EXECUTE ON FUNCTION activate_old_release, delete_release, delete_source, sweep_outlines, sweep_vectors
    TO indexer, api;
