-- A shard is one partition of chunk and of chunk_vector. Shard 0 is shared by small sources; a large source gets its
-- own: created apart, loaded by COPY without indexes, indexed and attached when its first release is activated.

CREATE OR REPLACE FUNCTION index_shard(shard integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET maintenance_work_mem = '256MB'
AS $$
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
END $$;

CREATE OR REPLACE FUNCTION create_shard(shard integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
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
END $$;

CREATE OR REPLACE FUNCTION attach_shard(shard integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    IF EXISTS (SELECT FROM pg_inherits WHERE inhrelid = format('chunk_%s', shard)::regclass) THEN
        RETURN;
    END IF;
    PERFORM index_shard(shard);
    EXECUTE format('ALTER TABLE chunk ATTACH PARTITION chunk_%1$s FOR VALUES IN (%1$s)', shard);
    EXECUTE format('ALTER TABLE chunk_vector ATTACH PARTITION chunk_vector_%1$s FOR VALUES IN (%1$s)', shard);
END $$;

-- A shard whose first release failed was never attached: nothing of it has been seen, all of it goes.
CREATE OR REPLACE FUNCTION drop_unattached_shard(shard integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    IF to_regclass(format('chunk_%s', shard)) IS NOT NULL
        AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass(format('chunk_%s', shard))) THEN
        EXECUTE format('DROP TABLE chunk_%1$s, chunk_vector_%1$s', shard);
    END IF;
END $$;

-- HNSW in bulk, when the first fill of the shard in that space is done. Returns whether the index is there now.
CREATE OR REPLACE FUNCTION build_vector_index(shard integer, for_space smallint, least_rows integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET maintenance_work_mem = '512MB'
AS $$
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
END $$;

REVOKE ALL ON FUNCTION index_shard, create_shard, attach_shard, drop_unattached_shard, build_vector_index FROM PUBLIC;
GRANT EXECUTE ON FUNCTION create_shard, attach_shard, drop_unattached_shard, build_vector_index TO indexer;

SELECT create_shard(0);
SELECT attach_shard(0);
