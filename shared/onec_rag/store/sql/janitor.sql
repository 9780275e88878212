-- name: try_janitor_lock
SELECT pg_try_advisory_xact_lock(0x1C_7A9) AS taken

-- name: ask_janitor
SELECT ask_janitor(%(id)s, %(by)s)

-- name: read_janitor_run
SELECT * FROM read_janitor_run(%(id)s)

-- name: end_janitor_run
INSERT INTO janitor_run (id, ended_at, done, dead_letters) VALUES (%(id)s, now(), %(done)s, %(dead_letters)s)
ON CONFLICT (id) DO UPDATE
SET ended_at = EXCLUDED.ended_at, done = EXCLUDED.done, dead_letters = EXCLUDED.dead_letters

-- name: forget_janitor_runs
DELETE FROM janitor_run WHERE requested_at < now() - interval '30 days'

-- name: requeue_stuck_uploads
WITH stuck AS (
    SELECT upload.id, task.done_at
    FROM upload
    CROSS JOIN LATERAL (SELECT max(done_at) AS done_at FROM upload_task WHERE upload_id = upload.id) AS task
    WHERE (state = 'loading' OR (state = 'receiving' AND version IS NOT NULL))
        AND CASE WHEN release_no IS NULL THEN %(planner_idle)s ELSE %(indexer_idle)s END
        AND greatest(created_at, planned_at, task.done_at, requeued_at) < now() - %(stuck)s::interval
    ORDER BY created_at LIMIT %(most)s
    FOR NO KEY UPDATE OF upload SKIP LOCKED
), counted AS (
    UPDATE upload
    SET requeued_at = now(),
        requeues = CASE WHEN stuck.done_at > upload.requeued_at THEN 1 ELSE upload.requeues + 1 END
    FROM stuck WHERE upload.id = stuck.id
    RETURNING upload.id, upload.requeues, upload.release_no
), taken_back AS (
    UPDATE upload_task AS task SET state = 'waiting'
    FROM counted WHERE task.upload_id = counted.id AND task.state = 'queued'
)
SELECT id, requeues, release_no IS NOT NULL AS planned FROM counted ORDER BY id

-- name: overdue_announcements
SELECT id, key FROM upload
WHERE bucket = %(bucket)s AND state = 'receiving' AND version IS NULL AND created_at < now() - %(age)s::interval
    AND key <> ALL (%(there)s)
ORDER BY created_at LIMIT %(most)s

-- name: claimed_keys
SELECT key FROM upload WHERE bucket = %(bucket)s AND state = 'receiving' AND version IS NOT NULL

-- name: unwoken_uploads
SELECT DISTINCT ON (source_name) id FROM upload AS parked
WHERE state = 'parked' AND NOT EXISTS (
    SELECT FROM upload AS other
    WHERE other.source_name = parked.source_name
        AND (other.state = 'loading' OR other.finished_at > now() - %(grace)s::interval)
)
ORDER BY source_name, arrived_at, created_at
LIMIT %(most)s

-- name: overdue_batches
SELECT source_name FROM sync_batch WHERE bucket = %(bucket)s AND changed_at < now() - %(quiet)s::interval
ORDER BY source_name LIMIT %(most)s

-- name: archives_in_use
SELECT id FROM upload
WHERE id = ANY (%(ids)s) AND (state IN ('receiving', 'parked', 'loading', 'held') OR (%(kept)s AND state = 'ready' AND EXISTS (
    SELECT FROM source JOIN release ON release.source_id = source.id AND release.no = source.head_release
    WHERE release.upload_id = upload.id
)))

-- name: forget_deleted_archives
UPDATE upload SET staged_version = NULL
WHERE staged_key = ANY (%(keys)s) AND state NOT IN ('receiving', 'parked', 'loading')

-- name: last_read_upload
SELECT id FROM upload WHERE source_name = %(source)s
ORDER BY members_read > 0 DESC, created_at DESC LIMIT 1

-- name: page_of_problems
SELECT path, place, reason FROM file_problem WHERE upload_id = %(id)s
ORDER BY path, place, reason OFFSET %(offset)s LIMIT %(most)s

-- name: sources_to_fill
SELECT source.id AS source_id, source.shard, source.head_release,
    source.vector_problem IS NOT NULL AND plan.held IS FALSE
    AND NOT EXISTS (SELECT FROM refused_text WHERE refused_text.source_id = source.id) AS refused
FROM source
LEFT JOIN vector_plan AS plan ON plan.source_id = source.id AND plan.release_no = source.head_release
WHERE source.head_release IS NOT NULL
ORDER BY source.id

-- name: reasons_of_problems
SELECT reason, count(*) AS files FROM file_problem WHERE upload_id = %(id)s
GROUP BY reason ORDER BY files DESC, reason LIMIT %(most)s
