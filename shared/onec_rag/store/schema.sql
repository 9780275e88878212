-- Made by scripts/schema_snapshot.py from the migrations; for reading, nothing applies it.

CREATE EXTENSION IF NOT EXISTS hstore WITH SCHEMA public;

CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;

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
    SELECT found.shard, found.id, sum(word.weight)::real,
        row_number() OVER (ORDER BY sum(word.weight) DESC, found.id)
    FROM unnest(words, weights) AS word (query, weight)
    CROSS JOIN LATERAL (
        SELECT chunk.shard, chunk.id
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
    GROUP BY found.shard, found.id
    ORDER BY 3 DESC, found.id
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

CREATE TABLE public.file_problem (
    upload_id uuid NOT NULL,
    path text NOT NULL,
    place text NOT NULL,
    reason text NOT NULL
);

ALTER TABLE public.file_problem OWNER TO migrator;

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
    CONSTRAINT upload_state_check CHECK ((state = ANY (ARRAY['receiving'::text, 'parked'::text, 'loading'::text, 'ready'::text, 'unchanged'::text, 'failed'::text])))
);

ALTER TABLE public.upload OWNER TO migrator;

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

ALTER TABLE ONLY public.file_problem
    ADD CONSTRAINT file_problem_pkey PRIMARY KEY (upload_id, path, place, reason);

ALTER TABLE ONLY public.membership
    ADD CONSTRAINT membership_pkey PRIMARY KEY (source_id, fqn, relation, other_fqn, document_id, added_in);

ALTER TABLE ONLY public.name
    ADD CONSTRAINT name_pkey PRIMARY KEY (source_id, fqn, document_id, added_in);

ALTER TABLE ONLY public.outline
    ADD CONSTRAINT outline_pkey PRIMARY KEY (hash);

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

ALTER TABLE ONLY public.upload
    ADD CONSTRAINT upload_bucket_key_version_key UNIQUE (bucket, key, version);

ALTER TABLE ONLY public.upload
    ADD CONSTRAINT upload_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.upload_task
    ADD CONSTRAINT upload_task_pkey PRIMARY KEY (upload_id, no);

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

CREATE INDEX upload_by_source ON public.upload USING btree (source_name, created_at DESC);

CREATE UNIQUE INDEX upload_one_load_per_source ON public.upload USING btree (source_name) WHERE (state = 'loading'::text);

CREATE INDEX word_of_task_by_upload ON public.word_of_task USING btree (upload_id);

ALTER TABLE ONLY public.document
    ADD CONSTRAINT document_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id);

ALTER TABLE ONLY public.file_problem
    ADD CONSTRAINT file_problem_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES public.upload(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.membership
    ADD CONSTRAINT membership_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id);

ALTER TABLE ONLY public.name
    ADD CONSTRAINT name_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id);

ALTER TABLE ONLY public.release
    ADD CONSTRAINT release_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id);

ALTER TABLE ONLY public.release
    ADD CONSTRAINT release_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES public.upload(id);

ALTER TABLE ONLY public.source
    ADD CONSTRAINT source_base_source_id_fkey FOREIGN KEY (base_source_id) REFERENCES public.source(id);

ALTER TABLE ONLY public.upload
    ADD CONSTRAINT upload_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id);

ALTER TABLE ONLY public.upload_task
    ADD CONSTRAINT upload_task_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES public.upload(id) ON DELETE CASCADE;

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

CREATE POLICY api_sees_its_sources ON public.upload_task TO api USING ((upload_id IN ( SELECT upload.id
   FROM public.upload)));

ALTER TABLE public.document ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_problem ENABLE ROW LEVEL SECURITY;

CREATE POLICY indexer_sees_all ON public.document TO indexer USING (true);

CREATE POLICY indexer_sees_all ON public.file_problem TO indexer USING (true);

CREATE POLICY indexer_sees_all ON public.membership TO indexer USING (true);

CREATE POLICY indexer_sees_all ON public.name TO indexer USING (true);

CREATE POLICY indexer_sees_all ON public.release TO indexer USING (true);

CREATE POLICY indexer_sees_all ON public.source TO indexer USING (true);

CREATE POLICY indexer_sees_all ON public.upload TO indexer USING (true);

CREATE POLICY indexer_sees_all ON public.upload_task TO indexer USING (true);

ALTER TABLE public.membership ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.name ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.release ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.source ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.upload ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.upload_task ENABLE ROW LEVEL SECURITY;

GRANT USAGE ON SCHEMA public TO indexer;
GRANT USAGE ON SCHEMA public TO api;

REVOKE ALL ON FUNCTION public.allowed_scope(scope_sources integer[], scope_releases integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.attach_shard(shard integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.attach_shard(shard integer) TO indexer;

REVOKE ALL ON FUNCTION public.build_vector_index(shard integer, for_space smallint, least_rows integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.build_vector_index(shard integer, for_space smallint, least_rows integer) TO indexer;

REVOKE ALL ON FUNCTION public.count_chunks(scope_sources integer[], scope_releases integer[], kinds text[], fqn_prefix text, facets jsonb[], count_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_chunks(scope_sources integer[], scope_releases integer[], kinds text[], fqn_prefix text, facets jsonb[], count_limit integer) TO api;

REVOKE ALL ON FUNCTION public.create_shard(shard integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.create_shard(shard integer) TO indexer;

REVOKE ALL ON FUNCTION public.drop_unattached_shard(shard integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.drop_unattached_shard(shard integer) TO indexer;

REVOKE ALL ON FUNCTION public.index_shard(shard integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.lexical_candidates(scope_sources integer[], scope_releases integer[], words tsquery[], weights real[], kinds text[], fqn_prefix text, facets jsonb[], top integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.read_api_key(key_id text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.read_api_key(key_id text) TO api;

REVOKE ALL ON FUNCTION public.read_chunks(scope_sources integer[], scope_releases integer[], shards integer[], chunk_ids bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.read_chunks(scope_sources integer[], scope_releases integer[], shards integer[], chunk_ids bigint[]) TO api;

REVOKE ALL ON FUNCTION public.read_surroundings(scope_sources integer[], scope_releases integer[], in_shard integer, asked_id bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.read_surroundings(scope_sources integer[], scope_releases integer[], in_shard integer, asked_id bigint) TO api;

REVOKE ALL ON FUNCTION public.search_chunks(scope_sources integer[], scope_releases integer[], words text[], queries tsquery[], weights real[], look_ups integer, query public.halfvec, in_space smallint, kinds text[], fqn_prefix text, facets jsonb[], exact boolean, top integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.search_chunks(scope_sources integer[], scope_releases integer[], words text[], queries tsquery[], weights real[], look_ups integer, query public.halfvec, in_space smallint, kinds text[], fqn_prefix text, facets jsonb[], exact boolean, top integer) TO api;

REVOKE ALL ON FUNCTION public.vector_candidates(scope_sources integer[], scope_releases integer[], query public.halfvec, in_space smallint, kinds text[], fqn_prefix text, facets jsonb[], exact boolean, top integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.vector_coverage(scope_sources integer[], scope_releases integer[], in_space smallint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.vector_coverage(scope_sources integer[], scope_releases integer[], in_space smallint) TO api;

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

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.file_problem TO indexer;
GRANT SELECT ON TABLE public.file_problem TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.membership TO indexer;
GRANT SELECT ON TABLE public.membership TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.name TO indexer;
GRANT SELECT ON TABLE public.name TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.outline TO indexer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.release TO indexer;
GRANT SELECT ON TABLE public.release TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.source TO indexer;
GRANT SELECT ON TABLE public.source TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.space TO indexer;
GRANT SELECT ON TABLE public.space TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.upload TO indexer;
GRANT SELECT,INSERT ON TABLE public.upload TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.upload_task TO indexer;
GRANT SELECT ON TABLE public.upload_task TO api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.word TO indexer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.word_of_task TO indexer;
