-- name: insert_upload
INSERT INTO upload (id, source_name, bucket, key, version, size, label, state, requested_by, confirmed, etag, arrived_at,
    partial)
VALUES (%(id)s, %(source_name)s, %(bucket)s, %(key)s, %(version)s, %(size)s, %(label)s, 'receiving', %(requested_by)s,
    %(confirmed)s, %(etag)s, %(arrived_at)s, %(partial)s)
RETURNING id, source_name, bucket, key, version, state, label, source_id, release_no, staged_key, staged_version,
    confirmed

-- name: read_upload
SELECT id, source_name, bucket, key, version, state, label, source_id, release_no, staged_key, staged_version,
    confirmed
FROM upload WHERE id = %(id)s

-- name: lock_upload
SELECT id, source_name, bucket, key, version, state, label, source_id, release_no, staged_key, staged_version,
    confirmed
FROM upload WHERE id = %(id)s FOR NO KEY UPDATE

-- name: lock_upload_and_writers
SELECT id, source_name, bucket, key, version, state, label, source_id, release_no, staged_key, staged_version,
    confirmed
FROM upload WHERE id = %(id)s FOR UPDATE

-- name: begin_loading
UPDATE upload SET state = 'loading', planned_at = now(), pipeline = %(pipeline)s
WHERE id = %(id)s AND state IN ('receiving', 'parked')
RETURNING id

-- name: park_upload
UPDATE upload SET state = 'parked' WHERE id = %(id)s AND state = 'receiving'

-- name: next_parked_upload
SELECT id FROM upload WHERE source_name = %(source_name)s AND state = 'parked'
ORDER BY arrived_at, created_at LIMIT 1

-- name: attach_release_to_upload
UPDATE upload SET source_id = %(source_id)s, release_no = %(no)s, label = %(label)s,
    members_read = %(members_read)s, members_skipped = %(members_skipped)s, partial = %(partial)s
WHERE id = %(id)s

-- name: set_staged
UPDATE upload SET staged_key = %(key)s, staged_version = %(version)s WHERE id = %(id)s

-- name: finish_upload
UPDATE upload SET state = %(state)s, reason = %(reason)s, release_no = %(release_no)s, finished_at = now()
WHERE id = %(id)s

-- name: release_of_same_content
SELECT release.no
FROM upload
JOIN source ON source.name = upload.source_name
JOIN release ON release.source_id = source.id AND release.no = source.head_release AND release.upload_id = upload.id
WHERE upload.source_name = %(source_name)s AND upload.version = %(version)s AND upload.state = 'ready'
    AND upload.pipeline = %(pipeline)s AND upload.id <> %(id)s
    AND (%(label)s::text IS NULL OR release.label = %(label)s)

-- name: count_unsent
SELECT count(*) AS total, count(*) FILTER (WHERE id NOT IN (SELECT unnest(%(ids)s::bigint[]))) AS gone
FROM document
WHERE source_id = (SELECT id FROM source WHERE name = %(source_name)s) AND removed_in IS NULL

-- name: count_removed
WITH seen AS MATERIALIZED (
    SELECT (member ->> 0)::bigint AS id
    FROM upload_task CROSS JOIN LATERAL jsonb_array_elements(members) AS member
    WHERE upload_id = %(upload_id)s
), kept AS MATERIALIZED (
    SELECT id FROM document WHERE source_id = %(source_id)s AND removed_in IS NULL
        AND ((SELECT partial FROM upload WHERE id = %(upload_id)s) OR id IN (SELECT id FROM seen))
)
SELECT count(*) AS total, count(*) FILTER (WHERE id NOT IN (SELECT id FROM kept)) AS gone
FROM document
WHERE source_id = %(source_id)s AND added_in < %(no)s AND (removed_in IS NULL OR removed_in = %(no)s)

-- name: hold_upload
UPDATE upload SET state = 'held', reason = %(reason)s, release_no = NULL, finished_at = now() WHERE id = %(id)s

-- name: forget_tasks
DELETE FROM upload_task WHERE upload_id = %(id)s

-- name: forget_problems
DELETE FROM file_problem WHERE upload_id = %(id)s

-- name: confirm_upload
SELECT confirm_upload(%(id)s) AS refusal

-- name: insert_task
INSERT INTO upload_task (upload_id, no, wave, first_byte, end_byte, members)
VALUES (%(upload_id)s, %(no)s, %(wave)s, %(first_byte)s, %(end_byte)s, %(members)s)

-- name: read_task
SELECT task.no, task.wave, task.state, task.first_byte, task.end_byte, task.members, upload.state AS upload_state
FROM upload_task AS task JOIN upload ON upload.id = task.upload_id
WHERE task.upload_id = %(upload_id)s AND task.no = %(no)s

-- name: finish_task
WITH loading AS (SELECT FROM upload WHERE id = %(upload_id)s AND state = 'loading' FOR KEY SHARE)
UPDATE upload_task SET state = 'done', done_at = now()
WHERE upload_id = %(upload_id)s AND no = %(no)s AND state <> 'done' AND EXISTS (SELECT FROM loading)
RETURNING no

-- name: record_counts
UPDATE upload_task SET counts = %(counts)s WHERE upload_id = %(upload_id)s AND no = %(no)s

-- name: open_wave
SELECT min(wave) AS wave FROM upload_task WHERE upload_id = %(upload_id)s AND state <> 'done'

-- name: waiting_tasks
SELECT no FROM upload_task WHERE upload_id = %(upload_id)s AND wave = %(wave)s AND state = 'waiting' ORDER BY no

-- name: mark_tasks_queued
UPDATE upload_task SET state = 'queued' WHERE upload_id = %(upload_id)s AND no = ANY (%(nos)s)

-- name: requeue_tasks
UPDATE upload_task SET state = 'waiting'
WHERE state = 'queued' AND upload_id IN (SELECT id FROM upload WHERE state = 'loading')

-- name: forget_members
UPDATE upload_task SET members = NULL WHERE upload_id = %(upload_id)s

-- name: unfinished_uploads
SELECT id, source_name, bucket, key, version, state, label, source_id, release_no, staged_key, staged_version,
    confirmed
FROM upload WHERE state IN ('loading', 'parked') ORDER BY created_at

-- name: insert_problem
INSERT INTO file_problem (upload_id, path, place, reason) VALUES (%(upload_id)s, %(path)s, %(place)s, %(reason)s)
ON CONFLICT DO NOTHING

-- name: read_uploads
SELECT upload.id, upload.source_name AS source, upload.key, upload.size, upload.state, upload.reason, upload.label,
    upload.release_no AS release, upload.members_read AS files, upload.members_skipped AS files_skipped,
    upload.created_at, upload.planned_at, upload.finished_at,
    tasks.total AS tasks, tasks.done AS tasks_done, tasks.counts AS task_counts,
    problems.total AS problems
FROM upload
CROSS JOIN LATERAL (
    SELECT count(*) AS total, count(*) FILTER (WHERE task.state = 'done') AS done,
        coalesce(jsonb_agg(task.counts) FILTER (WHERE task.state = 'done'), '[]') AS counts
    FROM upload_task AS task WHERE task.upload_id = upload.id
) AS tasks
CROSS JOIN LATERAL (SELECT count(*) AS total FROM file_problem WHERE upload_id = upload.id) AS problems
WHERE (%(id)s::uuid IS NULL OR upload.id = %(id)s) AND (%(source)s::text IS NULL OR upload.source_name = %(source)s)
ORDER BY upload.created_at DESC
LIMIT %(most)s

-- name: read_problems
SELECT path, place, reason FROM file_problem WHERE upload_id = %(id)s ORDER BY path, place LIMIT %(most)s

-- name: task_counts
SELECT counts FROM upload_task WHERE upload_id = %(upload_id)s
