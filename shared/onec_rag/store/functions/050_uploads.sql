-- Confirming an upload, with the owner's rights, since the role api changes no table. What is refused is told by a
-- word; NULL means done.
CREATE OR REPLACE FUNCTION confirm_upload(of_upload uuid) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '10s'
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

REVOKE ALL ON FUNCTION confirm_upload FROM PUBLIC;
GRANT EXECUTE ON FUNCTION confirm_upload TO api;
