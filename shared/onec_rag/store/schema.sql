-- Made by scripts/schema_snapshot.py from the migrations; for reading, nothing applies it.

CREATE EXTENSION IF NOT EXISTS hstore WITH SCHEMA public;

CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;

CREATE FUNCTION public.abandon_filling() RETURNS smallint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '10s'
    AS $$ UPDATE space SET filling = false, retired_at = '-infinity' WHERE filling RETURNING id $$;

ALTER FUNCTION public.abandon_filling() OWNER TO migrator;

CREATE FUNCTION public.activate_old_release(of_source integer, of_release integer) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '10s'
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

ALTER FUNCTION public.activate_old_release(of_source integer, of_release integer) OWNER TO migrator;

CREATE FUNCTION public.allowed_scope(scope_sources integer[], scope_releases integer[]) RETURNS TABLE(source_id integer, release_no integer, shard integer)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT asked.source_id, asked.release_no, source.shard
    FROM unnest(scope_sources, scope_releases) AS asked (source_id, release_no)
    JOIN source ON source.id = asked.source_id
    JOIN release ON release.source_id = asked.source_id AND release.no = asked.release_no AND release.state = 'ready'
    WHERE source.id = ANY (allowed_sources())
$$;

ALTER FUNCTION public.allowed_scope(scope_sources integer[], scope_releases integer[]) OWNER TO migrator;

CREATE FUNCTION public.allowed_sources() RETURNS integer[]
    LANGUAGE sql STABLE SECURITY DEFINER PARALLEL SAFE
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT coalesce(array_agg(id), '{}') FROM source WHERE may_see(name) $$;

ALTER FUNCTION public.allowed_sources() OWNER TO migrator;

CREATE FUNCTION public.ask_janitor(run uuid, by_key text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ INSERT INTO janitor_run (id, requested_by) VALUES (run, by_key) $$;

ALTER FUNCTION public.ask_janitor(run uuid, by_key text) OWNER TO migrator;

CREATE FUNCTION public.attach_shard(shard integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
BEGIN
    IF EXISTS (SELECT FROM pg_inherits WHERE inhrelid = format('chunk_%s', shard)::regclass) THEN
        RETURN;
    END IF;
    PERFORM index_shard(shard);
    EXECUTE format('ALTER TABLE chunk ATTACH PARTITION chunk_%1$s FOR VALUES IN (%1$s)', shard);
    EXECUTE format('ALTER TABLE chunk_vector ATTACH PARTITION chunk_vector_%1$s FOR VALUES IN (%1$s)', shard);
END $_$;

ALTER FUNCTION public.attach_shard(shard integer) OWNER TO migrator;

CREATE FUNCTION public.await_readers() RETURNS void
    LANGUAGE sql
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT pg_advisory_xact_lock(0x1C_7A7) $$;

ALTER FUNCTION public.await_readers() OWNER TO migrator;

CREATE FUNCTION public.begin_filling(of_model text, of_dimensions integer, of_prefix text, of_query_prefix text, of_base_url text, of_settings jsonb) RETURNS smallint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '10s'
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

ALTER FUNCTION public.begin_filling(of_model text, of_dimensions integer, of_prefix text, of_query_prefix text, of_base_url text, of_settings jsonb) OWNER TO migrator;

CREATE FUNCTION public.build_vector_index(shard integer, for_space smallint, least_rows integer) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET maintenance_work_mem TO '512MB'
    AS $_$
DECLARE
    index_name text := format('chunk_vector_%s_hnsw_%s', shard, for_space);
    size integer := (SELECT dimensions FROM space WHERE id = for_space);
    filled bigint;
BEGIN
    IF to_regclass(index_name) IS NOT NULL THEN
        RETURN true;
    END IF;
    EXECUTE format('SELECT count(*) FROM chunk_vector_%s WHERE space = $1', shard) INTO filled USING for_space;
    IF filled < least_rows THEN
        RETURN false;
    END IF;
    EXECUTE format(
        'CREATE INDEX IF NOT EXISTS %I ON chunk_vector_%s USING hnsw ((vector::halfvec(%s)) halfvec_cosine_ops)'
        ' WHERE space = %s', index_name, shard, size, for_space);
    EXECUTE format('ANALYZE chunk_vector_%s', shard);
    RETURN true;
END $_$;

ALTER FUNCTION public.build_vector_index(shard integer, for_space smallint, least_rows integer) OWNER TO migrator;

CREATE FUNCTION public.confirm_upload(of_upload uuid) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '10s'
    AS $$
DECLARE
    its upload;
BEGIN
    SELECT * INTO its FROM upload WHERE id = of_upload AND may_see(source_name) FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN 'missing';
    ELSIF its.state = 'held' THEN
        UPDATE upload SET state = 'receiving', confirmed = true, reason = NULL, finished_at = NULL WHERE id = of_upload;
    ELSIF its.state IN ('receiving', 'parked', 'loading') THEN  -- it will not be held
        UPDATE upload SET confirmed = true WHERE id = of_upload;
    ELSIF NOT its.confirmed THEN
        RETURN its.state;
    END IF;
    RETURN NULL;
END $$;

ALTER FUNCTION public.confirm_upload(of_upload uuid) OWNER TO migrator;

CREATE FUNCTION public.count_chunks(scope_sources integer[], scope_releases integer[], kinds text[], fqn_prefix text, facets jsonb[], count_limit integer) RETURNS integer
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
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

ALTER FUNCTION public.count_chunks(scope_sources integer[], scope_releases integer[], kinds text[], fqn_prefix text, facets jsonb[], count_limit integer) OWNER TO migrator;

CREATE FUNCTION public.create_shard(shard integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
BEGIN
    EXECUTE format(
        'CREATE TABLE IF NOT EXISTS chunk_%1$s (LIKE chunk INCLUDING DEFAULTS, CHECK (shard = %1$s))', shard);
    EXECUTE format(
        'CREATE TABLE IF NOT EXISTS chunk_vector_%1$s (LIKE chunk_vector INCLUDING DEFAULTS, CHECK (shard = %1$s),'
        ' PRIMARY KEY (space, chunk_id))', shard);
    EXECUTE format(
        'CREATE INDEX IF NOT EXISTS chunk_vector_%1$s_hash ON chunk_vector_%1$s (space, embed_hash)', shard);
    EXECUTE format('GRANT SELECT, INSERT, DELETE, UPDATE (removed_in) ON chunk_%s TO indexer', shard);
    EXECUTE format('GRANT SELECT, INSERT, DELETE ON chunk_vector_%s TO indexer', shard);
END $_$;

ALTER FUNCTION public.create_shard(shard integer) OWNER TO migrator;

CREATE FUNCTION public.cut_over(to_space smallint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '10s'
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

ALTER FUNCTION public.cut_over(to_space smallint) OWNER TO migrator;

CREATE FUNCTION public.delete_release(of_source integer, of_release integer) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '10s'
    SET work_mem TO '64MB'
    AS $_$
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
END $_$;

ALTER FUNCTION public.delete_release(of_source integer, of_release integer) OWNER TO migrator;

CREATE FUNCTION public.delete_source(of_source integer) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '10s'
    AS $_$
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
END $_$;

ALTER FUNCTION public.delete_source(of_source integer) OWNER TO migrator;

CREATE FUNCTION public.drop_unattached_shard(shard integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
BEGIN
    IF to_regclass(format('chunk_%s', shard)) IS NOT NULL
        AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass(format('chunk_%s', shard))) THEN
        EXECUTE format('DROP TABLE chunk_%1$s, chunk_vector_%1$s', shard);
    END IF;
END $_$;

ALTER FUNCTION public.drop_unattached_shard(shard integer) OWNER TO migrator;

CREATE FUNCTION public.fold_words(of_source integer, before integer, deleted integer, after integer) RETURNS void
    LANGUAGE sql
    SET search_path TO 'public', 'pg_temp'
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

ALTER FUNCTION public.fold_words(of_source integer, before integer, deleted integer, after integer) OWNER TO migrator;

CREATE FUNCTION public.hold_releases() RETURNS void
    LANGUAGE sql
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT pg_advisory_xact_lock_shared(0x1C_7A7) $$;

ALTER FUNCTION public.hold_releases() OWNER TO migrator;

CREATE FUNCTION public.index_shard(shard integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET maintenance_work_mem TO '256MB'
    AS $_$
BEGIN
    EXECUTE format('CREATE UNIQUE INDEX IF NOT EXISTS chunk_%1$s_id ON chunk_%1$s (id)', shard);
    EXECUTE format('CREATE UNIQUE INDEX IF NOT EXISTS chunk_%1$s_row ON chunk_%1$s (source_id, row_key, added_in)', shard);
    EXECUTE format('CREATE INDEX IF NOT EXISTS chunk_%1$s_document ON chunk_%1$s (source_id, document_id)', shard);
    EXECUTE format('CREATE INDEX IF NOT EXISTS chunk_%1$s_fqn ON chunk_%1$s (lower(fqn) text_pattern_ops)', shard);
    EXECUTE format(
        'CREATE INDEX IF NOT EXISTS chunk_%1$s_words ON chunk_%1$s USING gin (array_to_tsvector(akeys(terms)))'
        ' WITH (fastupdate = off)', shard);
    -- One look-up per word is the plan whatever the statistics say, and they are costly to take of long columns.
    EXECUTE format('ALTER INDEX chunk_%s_words ALTER COLUMN 1 SET STATISTICS 0', shard);
    EXECUTE format(
        'ALTER TABLE chunk_%s ALTER terms SET STATISTICS 0, ALTER text SET STATISTICS 0,'
        ' ALTER breadcrumb SET STATISTICS 0, ALTER facets SET STATISTICS 0', shard);
    EXECUTE format('ANALYZE chunk_%s', shard);
END $_$;

ALTER FUNCTION public.index_shard(shard integer) OWNER TO migrator;

CREATE FUNCTION public.lexical_candidates(scope_sources integer[], scope_releases integer[], words tsquery[], weights real[], kinds text[], fqn_prefix text, facets jsonb[], top integer) RETURNS TABLE(shard integer, chunk_id bigint, score real, rank bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    SET jit TO 'off'
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

ALTER FUNCTION public.lexical_candidates(scope_sources integer[], scope_releases integer[], words tsquery[], weights real[], kinds text[], fqn_prefix text, facets jsonb[], top integer) OWNER TO migrator;

CREATE FUNCTION public.may_see(source_name text) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT coalesce(current_setting('onec_rag.sources', true), '') = '*'
        OR source_name = ANY (string_to_array(coalesce(current_setting('onec_rag.sources', true), ''), ','))
$$;

ALTER FUNCTION public.may_see(source_name text) OWNER TO migrator;

CREATE FUNCTION public.read_api_key(key_id text) RETURNS TABLE(title text, scopes text[], sources text[])
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT title, scopes, sources FROM api_key
    WHERE id = key_id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
$$;

ALTER FUNCTION public.read_api_key(key_id text) OWNER TO migrator;

CREATE FUNCTION public.read_chunks(scope_sources integer[], scope_releases integer[], shards integer[], chunk_ids bigint[]) RETURNS TABLE(chunk_id bigint, source_id integer, release_no integer, kind text, fqn text, symbol text, breadcrumb text, text text, facets jsonb, root text, path text, title text, section text, stale_since integer, lines jsonb)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
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

ALTER FUNCTION public.read_chunks(scope_sources integer[], scope_releases integer[], shards integer[], chunk_ids bigint[]) OWNER TO migrator;

CREATE FUNCTION public.read_janitor_run(run uuid) RETURNS TABLE(id uuid, requested_at timestamp with time zone, ended_at timestamp with time zone, done jsonb, dead_letters jsonb)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT id, requested_at, ended_at, done, dead_letters FROM janitor_run AS known
    WHERE CASE WHEN run IS NULL THEN known.done IS NOT NULL ELSE known.id = run END
    ORDER BY known.ended_at DESC LIMIT 1
$$;

ALTER FUNCTION public.read_janitor_run(run uuid) OWNER TO migrator;

CREATE FUNCTION public.read_surroundings(scope_sources integer[], scope_releases integer[], in_shard integer, asked_id bigint) RETURNS TABLE(chunk_id bigint, kind text, fqn text, symbol text, breadcrumb text, text text, lines jsonb)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
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

ALTER FUNCTION public.read_surroundings(scope_sources integer[], scope_releases integer[], in_shard integer, asked_id bigint) OWNER TO migrator;

CREATE FUNCTION public.release_vectors(of_source integer) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '10s'
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

ALTER FUNCTION public.release_vectors(of_source integer) OWNER TO migrator;

CREATE FUNCTION public.remove_retired_space(most integer, grace interval) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '2s'
    AS $_$
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
END $_$;

ALTER FUNCTION public.remove_retired_space(most integer, grace interval) OWNER TO migrator;

CREATE FUNCTION public.retry_refused_texts(of_source integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
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

ALTER FUNCTION public.retry_refused_texts(of_source integer) OWNER TO migrator;

CREATE FUNCTION public.search_chunks(scope_sources integer[], scope_releases integer[], words text[], queries tsquery[], weights real[], look_ups integer, query public.halfvec, in_space smallint, kinds text[], fqn_prefix text, facets jsonb[], exact boolean, top integer) RETURNS TABLE(shard integer, chunk_id bigint, lexical_rank bigint, lexical_score real, vector_rank bigint, distance real, frequencies public.hstore, length integer)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
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

ALTER FUNCTION public.search_chunks(scope_sources integer[], scope_releases integer[], words text[], queries tsquery[], weights real[], look_ups integer, query public.halfvec, in_space smallint, kinds text[], fqn_prefix text, facets jsonb[], exact boolean, top integer) OWNER TO migrator;

CREATE FUNCTION public.sweep_outlines(most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '2s'
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

ALTER FUNCTION public.sweep_outlines(most integer) OWNER TO migrator;

CREATE FUNCTION public.sweep_vectors(in_shard integer, most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
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
END $_$;

ALTER FUNCTION public.sweep_vectors(in_shard integer, most integer) OWNER TO migrator;

CREATE FUNCTION public.vector_candidates(scope_sources integer[], scope_releases integer[], query public.halfvec, in_space smallint, kinds text[], fqn_prefix text, facets jsonb[], exact boolean, top integer) RETURNS TABLE(shard integer, chunk_id bigint, distance real, rank bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET jit TO 'off'
    SET "hnsw.ef_search" TO '120'
    SET "hnsw.iterative_scan" TO 'strict_order'
    SET "hnsw.max_scan_tuples" TO '40000'
    AS $_$
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
END $_$;

ALTER FUNCTION public.vector_candidates(scope_sources integer[], scope_releases integer[], query public.halfvec, in_space smallint, kinds text[], fqn_prefix text, facets jsonb[], exact boolean, top integer) OWNER TO migrator;

CREATE FUNCTION public.vector_coverage(scope_sources integer[], scope_releases integer[], in_space smallint) RETURNS TABLE(source_id integer, chunks bigint, vectors bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT scope.source_id, count(*), count(v.chunk_id)
    FROM allowed_scope(scope_sources, scope_releases) AS scope
    JOIN chunk AS c ON c.shard = scope.shard AND c.source_id = scope.source_id
        AND c.added_in <= scope.release_no AND (c.removed_in IS NULL OR c.removed_in > scope.release_no)
    LEFT JOIN chunk_vector AS v ON v.shard = c.shard AND v.chunk_id = c.id AND v.space = in_space
    GROUP BY scope.source_id
$$;

ALTER FUNCTION public.vector_coverage(scope_sources integer[], scope_releases integer[], in_space smallint) OWNER TO migrator;

CREATE FUNCTION public.vector_progress(in_space smallint, of_source text) RETURNS TABLE(source_id integer, source text, release_no integer, chunks bigint, vectors bigint, refused bigint, waiting bigint, tokens bigint, held boolean, planned_texts bigint, planned_tokens bigint, planned_price double precision, per_minute double precision, problem text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
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

ALTER FUNCTION public.vector_progress(in_space smallint, of_source text) OWNER TO migrator;

CREATE FUNCTION public.word_statistics(scope_sources integer[], scope_releases integer[], words text[]) RETURNS TABLE(word text, documents bigint, length bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
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

ALTER FUNCTION public.word_statistics(scope_sources integer[], scope_releases integer[], words text[]) OWNER TO migrator;

CREATE TABLE public.api_key (
    id text NOT NULL,
    title text NOT NULL,
    scopes text[] NOT NULL,
    sources text[],
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone
);

ALTER TABLE public.api_key OWNER TO migrator;

CREATE SEQUENCE public.chunk_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.chunk_id OWNER TO migrator;

CREATE TABLE public.chunk (
    shard integer NOT NULL,
    id bigint DEFAULT nextval('public.chunk_id'::regclass) NOT NULL,
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
    terms public.hstore NOT NULL,
    added_in integer NOT NULL,
    removed_in integer
)
PARTITION BY LIST (shard);

ALTER TABLE public.chunk OWNER TO migrator;

CREATE TABLE public.chunk_0 (
    shard integer CONSTRAINT chunk_shard_not_null NOT NULL,
    id bigint DEFAULT nextval('public.chunk_id'::regclass) CONSTRAINT chunk_id_not_null NOT NULL,
    source_id integer CONSTRAINT chunk_source_id_not_null NOT NULL,
    row_key uuid CONSTRAINT chunk_row_key_not_null NOT NULL,
    document_id bigint CONSTRAINT chunk_document_id_not_null NOT NULL,
    kind text CONSTRAINT chunk_kind_not_null NOT NULL,
    fqn text CONSTRAINT chunk_fqn_not_null NOT NULL,
    symbol text CONSTRAINT chunk_symbol_not_null NOT NULL,
    breadcrumb text CONSTRAINT chunk_breadcrumb_not_null NOT NULL,
    text text CONSTRAINT chunk_text_not_null NOT NULL,
    facets jsonb CONSTRAINT chunk_facets_not_null NOT NULL,
    embed_hash uuid CONSTRAINT chunk_embed_hash_not_null NOT NULL,
    tokens integer CONSTRAINT chunk_tokens_not_null NOT NULL,
    length integer CONSTRAINT chunk_length_not_null NOT NULL,
    terms public.hstore CONSTRAINT chunk_terms_not_null NOT NULL,
    added_in integer CONSTRAINT chunk_added_in_not_null NOT NULL,
    removed_in integer,
    CONSTRAINT chunk_0_shard_check CHECK ((shard = 0))
);
ALTER TABLE ONLY public.chunk_0 ALTER COLUMN breadcrumb SET STATISTICS 0;
ALTER TABLE ONLY public.chunk_0 ALTER COLUMN text SET STATISTICS 0;
ALTER TABLE ONLY public.chunk_0 ALTER COLUMN facets SET STATISTICS 0;
ALTER TABLE ONLY public.chunk_0 ALTER COLUMN terms SET STATISTICS 0;

ALTER TABLE public.chunk_0 OWNER TO migrator;

CREATE TABLE public.chunk_vector (
    shard integer NOT NULL,
    space smallint NOT NULL,
    chunk_id bigint NOT NULL,
    source_id integer NOT NULL,
    embed_hash uuid NOT NULL,
    vector public.halfvec NOT NULL
)
PARTITION BY LIST (shard);

ALTER TABLE public.chunk_vector OWNER TO migrator;

CREATE TABLE public.chunk_vector_0 (
    shard integer CONSTRAINT chunk_vector_shard_not_null NOT NULL,
    space smallint CONSTRAINT chunk_vector_space_not_null NOT NULL,
    chunk_id bigint CONSTRAINT chunk_vector_chunk_id_not_null NOT NULL,
    source_id integer CONSTRAINT chunk_vector_source_id_not_null NOT NULL,
    embed_hash uuid CONSTRAINT chunk_vector_embed_hash_not_null NOT NULL,
    vector public.halfvec CONSTRAINT chunk_vector_vector_not_null NOT NULL,
    CONSTRAINT chunk_vector_0_shard_check CHECK ((shard = 0))
);

ALTER TABLE public.chunk_vector_0 OWNER TO migrator;

CREATE TABLE public.document (
    source_id integer NOT NULL,
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
    adopted boolean DEFAULT false NOT NULL
);

ALTER TABLE public.document OWNER TO migrator;

CREATE TABLE public.embedded_minute (
    space smallint NOT NULL,
    minute timestamp with time zone NOT NULL,
    texts integer NOT NULL,
    tokens bigint NOT NULL
);

ALTER TABLE public.embedded_minute OWNER TO migrator;

CREATE TABLE public.embedding_pace (
    space smallint NOT NULL,
    free_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    not_before timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    failures integer DEFAULT 0 NOT NULL
);

ALTER TABLE public.embedding_pace OWNER TO migrator;

CREATE TABLE public.file_problem (
    upload_id uuid NOT NULL,
    path text NOT NULL,
    place text NOT NULL,
    reason text NOT NULL
);

ALTER TABLE public.file_problem OWNER TO migrator;

CREATE TABLE public.janitor_run (
    id uuid NOT NULL,
    requested_by text,
    requested_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    done jsonb,
    dead_letters jsonb
);

ALTER TABLE public.janitor_run OWNER TO migrator;

CREATE TABLE public.membership (
    source_id integer NOT NULL,
    document_id bigint NOT NULL,
    fqn text NOT NULL,
    relation text NOT NULL,
    other_fqn text NOT NULL,
    added_in integer NOT NULL,
    removed_in integer
);

ALTER TABLE public.membership OWNER TO migrator;

CREATE TABLE public.name (
    source_id integer NOT NULL,
    document_id bigint NOT NULL,
    fqn text NOT NULL,
    kind text NOT NULL,
    title text NOT NULL,
    synonyms jsonb NOT NULL,
    added_in integer NOT NULL,
    removed_in integer,
    root text DEFAULT ''::text NOT NULL,
    adopted boolean DEFAULT false NOT NULL
);

ALTER TABLE public.name OWNER TO migrator;

CREATE TABLE public.outline (
    hash uuid NOT NULL,
    places jsonb NOT NULL
);

ALTER TABLE public.outline OWNER TO migrator;

CREATE TABLE public.refused_text (
    space smallint NOT NULL,
    embed_hash uuid NOT NULL,
    source_id integer NOT NULL,
    fqn text NOT NULL,
    reason text NOT NULL,
    refused_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.refused_text OWNER TO migrator;

CREATE TABLE public.release (
    source_id integer NOT NULL,
    no integer NOT NULL,
    label text NOT NULL,
    state text NOT NULL,
    upload_id uuid,
    roots jsonb DEFAULT '{}'::jsonb NOT NULL,
    counts jsonb DEFAULT '{}'::jsonb NOT NULL,
    chunks bigint DEFAULT 0 NOT NULL,
    length bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    ready_at timestamp with time zone,
    CONSTRAINT release_state_check CHECK ((state = ANY (ARRAY['loading'::text, 'ready'::text, 'failed'::text])))
);

ALTER TABLE public.release OWNER TO migrator;

CREATE TABLE public.schema_ledger (
    file text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.schema_ledger OWNER TO migrator;

CREATE TABLE public.source (
    id integer NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    base_source_id integer,
    title text DEFAULT ''::text NOT NULL,
    shard integer DEFAULT 0 NOT NULL,
    head_release integer,
    current_release integer,
    vector_problem text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_release integer DEFAULT 0 NOT NULL,
    CONSTRAINT source_kind_check CHECK ((kind = ANY (ARRAY['configuration'::text, 'extension'::text, 'external'::text, 'documentation'::text, 'platform_help'::text])))
);

ALTER TABLE public.source OWNER TO migrator;

ALTER TABLE public.source ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.source_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.space (
    id smallint NOT NULL,
    model text NOT NULL,
    dimensions integer NOT NULL,
    prefix text NOT NULL,
    active boolean NOT NULL,
    base_url text,
    query_prefix text DEFAULT ''::text NOT NULL,
    stands_for jsonb,
    filling boolean DEFAULT false NOT NULL,
    retired_at timestamp with time zone,
    problem text,
    CONSTRAINT space_dimensions_check CHECK (((dimensions >= 1) AND (dimensions <= 4000)))
);

ALTER TABLE public.space OWNER TO migrator;

ALTER TABLE public.space ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.space_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.sync_batch (
    bucket text NOT NULL,
    source_name text NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.sync_batch OWNER TO migrator;

CREATE TABLE public.upload (
    id uuid NOT NULL,
    source_name text NOT NULL,
    bucket text NOT NULL,
    key text NOT NULL,
    version text,
    size bigint,
    label text,
    state text NOT NULL,
    reason text,
    source_id integer,
    release_no integer,
    pipeline integer,
    partial boolean DEFAULT false NOT NULL,
    members_read integer DEFAULT 0 NOT NULL,
    members_skipped integer DEFAULT 0 NOT NULL,
    requested_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    planned_at timestamp with time zone,
    finished_at timestamp with time zone,
    staged_version text,
    confirmed boolean DEFAULT false NOT NULL,
    arrived_at timestamp with time zone,
    etag text,
    staged_key text,
    requeues integer DEFAULT 0 NOT NULL,
    requeued_at timestamp with time zone,
    CONSTRAINT upload_state_check CHECK ((state = ANY (ARRAY['receiving'::text, 'parked'::text, 'loading'::text, 'ready'::text, 'unchanged'::text, 'held'::text, 'superseded'::text, 'failed'::text])))
);

ALTER TABLE public.upload OWNER TO migrator;

CREATE TABLE public.upload_manifest (
    upload_id uuid NOT NULL,
    packed bytea NOT NULL
);

ALTER TABLE public.upload_manifest OWNER TO migrator;

CREATE TABLE public.upload_task (
    upload_id uuid NOT NULL,
    no integer NOT NULL,
    wave smallint NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    first_byte bigint NOT NULL,
    end_byte bigint NOT NULL,
    members jsonb,
    counts jsonb DEFAULT '{}'::jsonb NOT NULL,
    done_at timestamp with time zone,
    CONSTRAINT upload_task_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'queued'::text, 'done'::text])))
);

ALTER TABLE public.upload_task OWNER TO migrator;

CREATE TABLE public.vector_plan (
    source_id integer NOT NULL,
    release_no integer NOT NULL,
    texts bigint NOT NULL,
    tokens bigint NOT NULL,
    price double precision,
    held boolean NOT NULL,
    planned_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.vector_plan OWNER TO migrator;

CREATE TABLE public.word (
    source_id integer NOT NULL,
    word text NOT NULL,
    release_no integer NOT NULL,
    documents integer NOT NULL
);

ALTER TABLE public.word OWNER TO migrator;

CREATE TABLE public.word_of_task (
    upload_id uuid NOT NULL,
    word text NOT NULL,
    documents integer NOT NULL
);

ALTER TABLE public.word_of_task OWNER TO migrator;

ALTER TABLE ONLY public.chunk ATTACH PARTITION public.chunk_0 FOR VALUES IN (0);

ALTER TABLE ONLY public.chunk_vector ATTACH PARTITION public.chunk_vector_0 FOR VALUES IN (0);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.chunk_vector_0
    ADD CONSTRAINT chunk_vector_0_pkey PRIMARY KEY (space, chunk_id);

ALTER TABLE ONLY public.document
    ADD CONSTRAINT document_pkey PRIMARY KEY (source_id, id, added_in);

ALTER TABLE ONLY public.embedded_minute
    ADD CONSTRAINT embedded_minute_pkey PRIMARY KEY (space, minute);

ALTER TABLE ONLY public.embedding_pace
    ADD CONSTRAINT embedding_pace_pkey PRIMARY KEY (space);

ALTER TABLE ONLY public.file_problem
    ADD CONSTRAINT file_problem_pkey PRIMARY KEY (upload_id, path, place, reason);

ALTER TABLE ONLY public.janitor_run
    ADD CONSTRAINT janitor_run_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.membership
    ADD CONSTRAINT membership_pkey PRIMARY KEY (source_id, fqn, relation, other_fqn, document_id, added_in);

ALTER TABLE ONLY public.name
    ADD CONSTRAINT name_pkey PRIMARY KEY (source_id, fqn, document_id, added_in);

ALTER TABLE ONLY public.outline
    ADD CONSTRAINT outline_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.refused_text
    ADD CONSTRAINT refused_text_pkey PRIMARY KEY (space, embed_hash);

ALTER TABLE ONLY public.release
    ADD CONSTRAINT release_pkey PRIMARY KEY (source_id, no);

ALTER TABLE ONLY public.schema_ledger
    ADD CONSTRAINT schema_ledger_pkey PRIMARY KEY (file);

ALTER TABLE ONLY public.source
    ADD CONSTRAINT source_name_key UNIQUE (name);

ALTER TABLE ONLY public.source
    ADD CONSTRAINT source_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.space
    ADD CONSTRAINT space_model_dimensions_prefix_key UNIQUE (model, dimensions, prefix);

ALTER TABLE ONLY public.space
    ADD CONSTRAINT space_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sync_batch
    ADD CONSTRAINT sync_batch_pkey PRIMARY KEY (bucket, source_name);

ALTER TABLE ONLY public.upload_manifest
    ADD CONSTRAINT upload_manifest_pkey PRIMARY KEY (upload_id);

ALTER TABLE ONLY public.upload
    ADD CONSTRAINT upload_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.upload_task
    ADD CONSTRAINT upload_task_pkey PRIMARY KEY (upload_id, no);

ALTER TABLE ONLY public.vector_plan
    ADD CONSTRAINT vector_plan_pkey PRIMARY KEY (source_id, release_no);

ALTER TABLE ONLY public.word
    ADD CONSTRAINT word_pkey PRIMARY KEY (source_id, word, release_no) INCLUDE (documents);

CREATE INDEX chunk_0_document ON public.chunk_0 USING btree (source_id, document_id);

CREATE INDEX chunk_0_fqn ON public.chunk_0 USING btree (lower(fqn) text_pattern_ops);

CREATE UNIQUE INDEX chunk_0_id ON public.chunk_0 USING btree (id);

CREATE UNIQUE INDEX chunk_0_row ON public.chunk_0 USING btree (source_id, row_key, added_in);

CREATE INDEX chunk_0_words ON public.chunk_0 USING gin (array_to_tsvector(public.akeys(terms))) WITH (fastupdate=off);
ALTER INDEX public.chunk_0_words ALTER COLUMN 1 SET STATISTICS 0;

CREATE INDEX chunk_vector_0_hash ON public.chunk_vector_0 USING btree (space, embed_hash);

CREATE INDEX membership_by_document ON public.membership USING btree (source_id, document_id);

CREATE INDEX membership_by_other ON public.membership USING btree (source_id, other_fqn);

CREATE INDEX name_by_document ON public.name USING btree (source_id, document_id);

CREATE UNIQUE INDEX space_one_active ON public.space USING btree (active) WHERE active;

CREATE UNIQUE INDEX space_one_filling ON public.space USING btree (filling) WHERE filling;

CREATE INDEX upload_by_key ON public.upload USING btree (bucket, key, created_at DESC);

CREATE INDEX upload_by_source ON public.upload USING btree (source_name, created_at DESC);

CREATE UNIQUE INDEX upload_one_load_per_source ON public.upload USING btree (source_name) WHERE (state = 'loading'::text);

CREATE INDEX word_of_task_by_upload ON public.word_of_task USING btree (upload_id);

ALTER TABLE ONLY public.document
    ADD CONSTRAINT document_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id);

ALTER TABLE ONLY public.embedded_minute
    ADD CONSTRAINT embedded_minute_space_fkey FOREIGN KEY (space) REFERENCES public.space(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.embedding_pace
    ADD CONSTRAINT embedding_pace_space_fkey FOREIGN KEY (space) REFERENCES public.space(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file_problem
    ADD CONSTRAINT file_problem_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES public.upload(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.membership
    ADD CONSTRAINT membership_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id);

ALTER TABLE ONLY public.name
    ADD CONSTRAINT name_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id);

ALTER TABLE ONLY public.refused_text
    ADD CONSTRAINT refused_text_space_fkey FOREIGN KEY (space) REFERENCES public.space(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.release
    ADD CONSTRAINT release_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id);

ALTER TABLE ONLY public.release
    ADD CONSTRAINT release_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES public.upload(id);

ALTER TABLE ONLY public.source
    ADD CONSTRAINT source_base_source_id_fkey FOREIGN KEY (base_source_id) REFERENCES public.source(id);

ALTER TABLE ONLY public.upload_manifest
    ADD CONSTRAINT upload_manifest_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES public.upload(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.upload
    ADD CONSTRAINT upload_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id);

ALTER TABLE ONLY public.upload_task
    ADD CONSTRAINT upload_task_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES public.upload(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.vector_plan
    ADD CONSTRAINT vector_plan_source_id_release_no_fkey FOREIGN KEY (source_id, release_no) REFERENCES public.release(source_id, no) ON DELETE CASCADE;

ALTER TABLE ONLY public.word_of_task
    ADD CONSTRAINT word_of_task_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES public.upload(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.word
    ADD CONSTRAINT word_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id);

CREATE POLICY api_sees_its_sources ON public.document TO api USING ((source_id = ANY (( SELECT public.allowed_sources() AS allowed_sources)::integer[])));

CREATE POLICY api_sees_its_sources ON public.file_problem TO api USING ((upload_id IN ( SELECT upload.id
   FROM public.upload)));

CREATE POLICY api_sees_its_sources ON public.membership TO api USING ((source_id = ANY (( SELECT public.allowed_sources() AS allowed_sources)::integer[])));

CREATE POLICY api_sees_its_sources ON public.name TO api USING ((source_id = ANY (( SELECT public.allowed_sources() AS allowed_sources)::integer[])));

CREATE POLICY api_sees_its_sources ON public.release TO api USING ((source_id = ANY (( SELECT public.allowed_sources() AS allowed_sources)::integer[])));

CREATE POLICY api_sees_its_sources ON public.source TO api USING ((id = ANY (( SELECT public.allowed_sources() AS allowed_sources)::integer[])));

CREATE POLICY api_sees_its_sources ON public.upload TO api USING (public.may_see(source_name));

CREATE POLICY api_sees_its_sources ON public.upload_manifest TO api USING ((upload_id IN ( SELECT upload.id
   FROM public.upload)));

CREATE POLICY api_sees_its_sources ON public.upload_task TO api USING ((upload_id IN ( SELECT upload.id
   FROM public.upload)));

CREATE POLICY api_sees_its_sources ON public.vector_plan TO api USING ((source_id = ANY (( SELECT public.allowed_sources() AS allowed_sources)::integer[])));

ALTER TABLE public.document ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_problem ENABLE ROW LEVEL SECURITY;

CREATE POLICY indexer_sees_all ON public.document TO indexer USING (true);

CREATE POLICY indexer_sees_all ON public.file_problem TO indexer USING (true);

CREATE POLICY indexer_sees_all ON public.membership TO indexer USING (true);

CREATE POLICY indexer_sees_all ON public.name TO indexer USING (true);

CREATE POLICY indexer_sees_all ON public.release TO indexer USING (true);

CREATE POLICY indexer_sees_all ON public.source TO indexer USING (true);

CREATE POLICY indexer_sees_all ON public.upload TO indexer USING (true);

CREATE POLICY indexer_sees_all ON public.upload_manifest TO indexer USING (true);

CREATE POLICY indexer_sees_all ON public.upload_task TO indexer USING (true);

CREATE POLICY indexer_sees_all ON public.vector_plan TO indexer USING (true);

ALTER TABLE public.membership ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.name ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.release ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.source ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.upload ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.upload_manifest ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.upload_task ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.vector_plan ENABLE ROW LEVEL SECURITY;

GRANT USAGE ON SCHEMA public TO indexer;
GRANT USAGE ON SCHEMA public TO api;

REVOKE ALL ON FUNCTION public.abandon_filling() FROM PUBLIC;
GRANT ALL ON FUNCTION public.abandon_filling() TO api;
GRANT ALL ON FUNCTION public.abandon_filling() TO indexer;

REVOKE ALL ON FUNCTION public.activate_old_release(of_source integer, of_release integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.activate_old_release(of_source integer, of_release integer) TO indexer;
GRANT ALL ON FUNCTION public.activate_old_release(of_source integer, of_release integer) TO api;

REVOKE ALL ON FUNCTION public.allowed_scope(scope_sources integer[], scope_releases integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.ask_janitor(run uuid, by_key text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ask_janitor(run uuid, by_key text) TO api;
GRANT ALL ON FUNCTION public.ask_janitor(run uuid, by_key text) TO indexer;

REVOKE ALL ON FUNCTION public.attach_shard(shard integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.attach_shard(shard integer) TO indexer;

REVOKE ALL ON FUNCTION public.await_readers() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.begin_filling(of_model text, of_dimensions integer, of_prefix text, of_query_prefix text, of_base_url text, of_settings jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.begin_filling(of_model text, of_dimensions integer, of_prefix text, of_query_prefix text, of_base_url text, of_settings jsonb) TO api;
GRANT ALL ON FUNCTION public.begin_filling(of_model text, of_dimensions integer, of_prefix text, of_query_prefix text, of_base_url text, of_settings jsonb) TO indexer;

REVOKE ALL ON FUNCTION public.build_vector_index(shard integer, for_space smallint, least_rows integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.build_vector_index(shard integer, for_space smallint, least_rows integer) TO indexer;

REVOKE ALL ON FUNCTION public.confirm_upload(of_upload uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.confirm_upload(of_upload uuid) TO api;

REVOKE ALL ON FUNCTION public.count_chunks(scope_sources integer[], scope_releases integer[], kinds text[], fqn_prefix text, facets jsonb[], count_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_chunks(scope_sources integer[], scope_releases integer[], kinds text[], fqn_prefix text, facets jsonb[], count_limit integer) TO api;

REVOKE ALL ON FUNCTION public.create_shard(shard integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.create_shard(shard integer) TO indexer;

REVOKE ALL ON FUNCTION public.cut_over(to_space smallint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.cut_over(to_space smallint) TO indexer;

REVOKE ALL ON FUNCTION public.delete_release(of_source integer, of_release integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.delete_release(of_source integer, of_release integer) TO indexer;
GRANT ALL ON FUNCTION public.delete_release(of_source integer, of_release integer) TO api;

REVOKE ALL ON FUNCTION public.delete_source(of_source integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.delete_source(of_source integer) TO indexer;
GRANT ALL ON FUNCTION public.delete_source(of_source integer) TO api;

REVOKE ALL ON FUNCTION public.drop_unattached_shard(shard integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.drop_unattached_shard(shard integer) TO indexer;

REVOKE ALL ON FUNCTION public.fold_words(of_source integer, before integer, deleted integer, after integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.index_shard(shard integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.lexical_candidates(scope_sources integer[], scope_releases integer[], words tsquery[], weights real[], kinds text[], fqn_prefix text, facets jsonb[], top integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.read_api_key(key_id text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.read_api_key(key_id text) TO api;

REVOKE ALL ON FUNCTION public.read_chunks(scope_sources integer[], scope_releases integer[], shards integer[], chunk_ids bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.read_chunks(scope_sources integer[], scope_releases integer[], shards integer[], chunk_ids bigint[]) TO api;

REVOKE ALL ON FUNCTION public.read_janitor_run(run uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.read_janitor_run(run uuid) TO api;
GRANT ALL ON FUNCTION public.read_janitor_run(run uuid) TO indexer;

REVOKE ALL ON FUNCTION public.read_surroundings(scope_sources integer[], scope_releases integer[], in_shard integer, asked_id bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.read_surroundings(scope_sources integer[], scope_releases integer[], in_shard integer, asked_id bigint) TO api;

REVOKE ALL ON FUNCTION public.release_vectors(of_source integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.release_vectors(of_source integer) TO api;
GRANT ALL ON FUNCTION public.release_vectors(of_source integer) TO indexer;

REVOKE ALL ON FUNCTION public.remove_retired_space(most integer, grace interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.remove_retired_space(most integer, grace interval) TO indexer;

REVOKE ALL ON FUNCTION public.retry_refused_texts(of_source integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.retry_refused_texts(of_source integer) TO api;
GRANT ALL ON FUNCTION public.retry_refused_texts(of_source integer) TO indexer;

REVOKE ALL ON FUNCTION public.search_chunks(scope_sources integer[], scope_releases integer[], words text[], queries tsquery[], weights real[], look_ups integer, query public.halfvec, in_space smallint, kinds text[], fqn_prefix text, facets jsonb[], exact boolean, top integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.search_chunks(scope_sources integer[], scope_releases integer[], words text[], queries tsquery[], weights real[], look_ups integer, query public.halfvec, in_space smallint, kinds text[], fqn_prefix text, facets jsonb[], exact boolean, top integer) TO api;

REVOKE ALL ON FUNCTION public.sweep_outlines(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.sweep_outlines(most integer) TO indexer;
GRANT ALL ON FUNCTION public.sweep_outlines(most integer) TO api;

REVOKE ALL ON FUNCTION public.sweep_vectors(in_shard integer, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.sweep_vectors(in_shard integer, most integer) TO indexer;
GRANT ALL ON FUNCTION public.sweep_vectors(in_shard integer, most integer) TO api;

REVOKE ALL ON FUNCTION public.vector_candidates(scope_sources integer[], scope_releases integer[], query public.halfvec, in_space smallint, kinds text[], fqn_prefix text, facets jsonb[], exact boolean, top integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.vector_coverage(scope_sources integer[], scope_releases integer[], in_space smallint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.vector_coverage(scope_sources integer[], scope_releases integer[], in_space smallint) TO api;

REVOKE ALL ON FUNCTION public.vector_progress(in_space smallint, of_source text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.vector_progress(in_space smallint, of_source text) TO api;
GRANT ALL ON FUNCTION public.vector_progress(in_space smallint, of_source text) TO indexer;

REVOKE ALL ON FUNCTION public.word_statistics(scope_sources integer[], scope_releases integer[], words text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.word_statistics(scope_sources integer[], scope_releases integer[], words text[]) TO api;

GRANT USAGE ON SEQUENCE public.chunk_id TO indexer;

GRANT SELECT,INSERT,DELETE ON TABLE public.chunk TO indexer;

GRANT UPDATE(removed_in) ON TABLE public.chunk TO indexer;

GRANT SELECT,INSERT,DELETE ON TABLE public.chunk_0 TO indexer;

GRANT UPDATE(removed_in) ON TABLE public.chunk_0 TO indexer;

GRANT SELECT,INSERT,DELETE ON TABLE public.chunk_vector TO indexer;

GRANT SELECT,INSERT,DELETE ON TABLE public.chunk_vector_0 TO indexer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.document TO indexer;
GRANT SELECT ON TABLE public.document TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.embedded_minute TO indexer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.embedding_pace TO indexer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.file_problem TO indexer;
GRANT SELECT ON TABLE public.file_problem TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.janitor_run TO indexer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.membership TO indexer;
GRANT SELECT ON TABLE public.membership TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.name TO indexer;
GRANT SELECT ON TABLE public.name TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.outline TO indexer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.refused_text TO indexer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.release TO indexer;
GRANT SELECT ON TABLE public.release TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.source TO indexer;
GRANT SELECT ON TABLE public.source TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.space TO indexer;
GRANT SELECT ON TABLE public.space TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sync_batch TO indexer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.upload TO indexer;
GRANT SELECT,INSERT ON TABLE public.upload TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.upload_manifest TO indexer;
GRANT SELECT ON TABLE public.upload_manifest TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.upload_task TO indexer;
GRANT SELECT ON TABLE public.upload_task TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.vector_plan TO indexer;
GRANT SELECT ON TABLE public.vector_plan TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.word TO indexer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.word_of_task TO indexer;
