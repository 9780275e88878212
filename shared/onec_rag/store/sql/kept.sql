-- name: idle_archives
SELECT id, bucket, staged_key FROM upload
WHERE source_name = %(source_name)s AND staged_version IS NOT NULL AND state NOT IN ('receiving', 'parked', 'loading')
    AND NOT (state = 'ready' AND staged_key LIKE 'content/%%' AND EXISTS (
        SELECT FROM source JOIN release ON release.source_id = source.id AND release.no = source.head_release
        WHERE release.upload_id = upload.id
    ))

-- name: forget_archives
UPDATE upload SET staged_version = NULL
WHERE id = ANY (%(ids)s) AND state NOT IN ('receiving', 'parked', 'loading')

-- name: head_upload
SELECT upload.id, source_name, bucket, key, version, upload.state, upload.label, upload.source_id, release_no, staged_key,
    staged_version, confirmed
FROM source
JOIN release ON release.source_id = source.id AND release.no = source.head_release
JOIN upload ON upload.id = release.upload_id
WHERE source.name = %(source_name)s

-- name: insert_manifest
INSERT INTO upload_manifest (upload_id, packed) VALUES (%(upload_id)s, %(packed)s)
ON CONFLICT (upload_id) DO UPDATE SET packed = EXCLUDED.packed

-- name: read_manifest
SELECT upload.id AS upload, release.no AS release, release.label, manifest.packed
FROM source
JOIN release ON release.source_id = source.id AND release.no = source.head_release
JOIN upload ON upload.id = release.upload_id
JOIN upload_manifest AS manifest ON manifest.upload_id = upload.id
WHERE source.name = %(source_name)s AND upload.pipeline / 100000 = %(pipeline)s

-- name: forget_manifests
DELETE FROM upload_manifest USING upload
WHERE upload.id = upload_id AND source_name = %(source_name)s AND state NOT IN ('receiving', 'parked', 'loading')
    AND NOT EXISTS (
        SELECT FROM source JOIN release ON release.source_id = source.id AND release.no = source.head_release
        WHERE release.upload_id = upload.id
    )
