-- name: open_batch
INSERT INTO sync_batch (bucket, source_name) VALUES (%(bucket)s, %(source_name)s)
ON CONFLICT DO NOTHING
RETURNING source_name

-- name: touch_batch
UPDATE sync_batch SET changed_at = now()
WHERE bucket = %(bucket)s AND source_name = %(source_name)s AND changed_at < now() - interval '1 second'

-- name: read_batch
SELECT changed_at, extract(epoch FROM now() - changed_at)::float AS quiet FROM sync_batch
WHERE bucket = %(bucket)s AND source_name = %(source_name)s

-- name: close_batch
DELETE FROM sync_batch
WHERE bucket = %(bucket)s AND source_name = %(source_name)s AND changed_at = %(changed_at)s
RETURNING source_name

-- name: open_batches
SELECT source_name FROM sync_batch WHERE bucket = %(bucket)s ORDER BY source_name
