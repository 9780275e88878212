-- name: lock_key
SELECT pg_advisory_xact_lock(hashtextextended(%(bucket)s || '/' || %(key)s, 0))

-- name: take_known_upload
UPDATE upload SET etag = %(etag)s
WHERE id = (SELECT id FROM upload WHERE bucket = %(bucket)s AND key = %(key)s ORDER BY created_at DESC LIMIT 1)
    AND version = %(version)s
RETURNING id, source_name, bucket, key, version, state, label, source_id, release_no, staged_key, staged_version,
    confirmed

-- name: take_received_upload
UPDATE upload SET version = %(version)s, size = %(size)s, label = coalesce(label, %(label)s), etag = %(etag)s,
    arrived_at = %(arrived_at)s, partial = %(partial)s
WHERE bucket = %(bucket)s AND key = %(key)s AND version IS NULL AND state = 'receiving'
RETURNING id, source_name, bucket, key, version, state, label, source_id, release_no, staged_key, staged_version,
    confirmed

-- name: is_key_known
SELECT EXISTS (SELECT FROM upload WHERE bucket = %(bucket)s AND key = %(key)s) AS known

-- name: unplanned_keys
SELECT key FROM unnest(%(keys)s::text[], %(etags)s::text[]) AS stored (key, etag)
LEFT JOIN LATERAL (
    SELECT state, coalesce(upload.etag, version) AS etag FROM upload
    WHERE upload.bucket = %(bucket)s AND upload.key = stored.key ORDER BY created_at DESC LIMIT 1
) AS latest ON true
WHERE latest.state IS NULL OR latest.state = 'receiving' OR latest.etag <> stored.etag

-- name: later_upload
SELECT later.id FROM upload AS later
JOIN upload ON upload.id = %(id)s AND upload.source_name = later.source_name
WHERE NOT later.partial AND later.state IN ('ready', 'unchanged') AND later.arrived_at > upload.arrived_at
LIMIT 1

-- name: supersede_held
UPDATE upload AS held SET state = 'superseded', reason = %(reason)s, finished_at = now()
WHERE source_name = %(source_name)s AND state = 'held' AND EXISTS (
    SELECT FROM upload AS later
    WHERE later.source_name = %(source_name)s AND NOT later.partial AND later.state IN ('ready', 'unchanged', 'held')
        AND (later.arrived_at, later.created_at) > (held.arrived_at, held.created_at)
)
