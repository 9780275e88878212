-- Who may see which source: `onec_rag.sources` is set for the transaction by the API, as names joined by commas
-- or '*'. Nothing set means nothing seen.

CREATE OR REPLACE FUNCTION may_see(source_name text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(current_setting('onec_rag.sources', true), '') = '*'
        OR source_name = ANY (string_to_array(coalesce(current_setting('onec_rag.sources', true), ''), ','))
$$;

CREATE OR REPLACE FUNCTION allowed_sources() RETURNS integer[]
LANGUAGE sql STABLE SECURITY DEFINER PARALLEL SAFE SET search_path = public, pg_temp
AS $$ SELECT coalesce(array_agg(id), '{}') FROM source WHERE may_see(name) $$;

DO $$
DECLARE
    guarded record;
BEGIN
    FOR guarded IN
        SELECT * FROM (VALUES
            ('source', 'id = ANY ((SELECT allowed_sources())::integer[])'),
            ('release', 'source_id = ANY ((SELECT allowed_sources())::integer[])'),
            ('document', 'source_id = ANY ((SELECT allowed_sources())::integer[])'),
            ('name', 'source_id = ANY ((SELECT allowed_sources())::integer[])'),
            ('membership', 'source_id = ANY ((SELECT allowed_sources())::integer[])'),
            ('upload', 'may_see(source_name)'),
            ('upload_task', 'upload_id IN (SELECT id FROM upload)'),
            ('file_problem', 'upload_id IN (SELECT id FROM upload)'),
            ('upload_manifest', 'upload_id IN (SELECT id FROM upload)')
        ) AS walls (relation, condition)
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', guarded.relation);
        EXECUTE format('DROP POLICY IF EXISTS api_sees_its_sources ON %I', guarded.relation);
        EXECUTE format('CREATE POLICY api_sees_its_sources ON %I TO api USING (%s)', guarded.relation, guarded.condition);
        EXECUTE format('DROP POLICY IF EXISTS indexer_sees_all ON %I', guarded.relation);
        EXECUTE format('CREATE POLICY indexer_sees_all ON %I TO indexer USING (true)', guarded.relation);
    END LOOP;
END $$;

-- Keys are read by id after their HMAC has been checked; the list itself is for nobody but the owner and `api_keys`.
CREATE OR REPLACE FUNCTION read_api_key(key_id text)
RETURNS TABLE (title text, scopes text[], sources text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT title, scopes, sources FROM api_key
    WHERE id = key_id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
$$;
REVOKE ALL ON FUNCTION read_api_key FROM PUBLIC;
GRANT EXECUTE ON FUNCTION read_api_key TO api;
