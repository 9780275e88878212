-- Uploads that wait to be confirmed, and their order.

ALTER TABLE upload DROP CONSTRAINT upload_state_check;
ALTER TABLE upload ADD CONSTRAINT upload_state_check
    CHECK (state IN ('receiving', 'parked', 'loading', 'ready', 'unchanged', 'held', 'superseded', 'failed'));
ALTER TABLE upload ADD COLUMN confirmed boolean NOT NULL DEFAULT false;

-- When the object arrived, by the bucket's clock: it orders the uploads of a source. A later object may have the bytes
-- of an earlier one again, so that key and version no longer tell one upload.
ALTER TABLE upload ADD COLUMN arrived_at timestamptz, ADD COLUMN etag text;
ALTER TABLE upload DROP CONSTRAINT upload_bucket_key_version_key;
CREATE INDEX upload_by_key ON upload (bucket, key, created_at DESC);

-- Where an archive lies that was made of an upload: one that is needed while it loads, or one that is kept for the next.
ALTER TABLE upload ADD COLUMN staged_key text;
UPDATE upload SET staged_key = 'staged/' || id || '.zip' WHERE staged_version IS NOT NULL;

-- Loose objects of a source that are being changed; a batch that has been quiet for a while becomes an upload.
CREATE TABLE sync_batch (
    bucket text NOT NULL,
    source_name text NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (bucket, source_name)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON sync_batch TO indexer;

-- The files of a head's upload with their hashes, as gzip of JSON: what a client compares its folder with.
CREATE TABLE upload_manifest (
    upload_id uuid PRIMARY KEY REFERENCES upload ON DELETE CASCADE,
    packed bytea NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON upload_manifest TO indexer;
GRANT SELECT ON upload_manifest TO api;
