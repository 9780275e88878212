-- What the role api may do about the janitor: ask for a run, and read what runs have done. Numbers alone: whose uploads
-- they are is behind the walls.

CREATE OR REPLACE FUNCTION ask_janitor(run uuid, by_key text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
AS $$ INSERT INTO janitor_run (id, requested_by) VALUES (run, by_key) $$;

-- The run of that id; without one the last that has come to its end.
CREATE OR REPLACE FUNCTION read_janitor_run(run uuid)
RETURNS TABLE (id uuid, requested_at timestamptz, ended_at timestamptz, done jsonb, dead_letters jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT id, requested_at, ended_at, done, dead_letters FROM janitor_run AS known
    WHERE CASE WHEN run IS NULL THEN known.done IS NOT NULL ELSE known.id = run END
    ORDER BY known.ended_at DESC LIMIT 1
$$;

REVOKE ALL ON FUNCTION ask_janitor, read_janitor_run FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ask_janitor, read_janitor_run TO api, indexer;
