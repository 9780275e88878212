-- name: ensure_source
INSERT INTO source (name, kind, title) VALUES (%(name)s, %(kind)s, %(title)s)
ON CONFLICT (name) DO UPDATE SET title = CASE WHEN EXCLUDED.title <> '' THEN EXCLUDED.title ELSE source.title END
RETURNING id, shard, head_release

-- name: give_own_shard
UPDATE source SET shard = id WHERE id = %(id)s AND head_release IS NULL RETURNING shard

-- name: share_shard
UPDATE source SET shard = 0 WHERE id = %(id)s AND head_release IS NULL AND shard <> 0

-- name: insert_release
INSERT INTO release (source_id, no, label, state, upload_id, roots)
SELECT source.id, greatest(max(release.no), source.deleted_release) + 1, %(label)s, 'loading', %(upload_id)s, %(roots)s
FROM source LEFT JOIN release ON release.source_id = source.id
WHERE source.id = %(source_id)s
GROUP BY source.id
RETURNING no

-- name: read_release
SELECT release.source_id, release.no, source.shard, release.label, release.roots,
    source.head_release IS NULL AS first_load
FROM release JOIN source ON source.id = release.source_id
WHERE release.source_id = %(source_id)s AND release.no = %(no)s

-- name: forget_release
DELETE FROM release WHERE source_id = %(source_id)s AND no = %(no)s

-- name: head_label
SELECT release.label FROM source JOIN release ON release.source_id = source.id AND release.no = source.head_release
WHERE source.id = %(source_id)s

-- name: source_kind
SELECT kind FROM source WHERE name = %(name)s AND head_release IS NOT NULL

-- name: head_no
SELECT head_release FROM source WHERE id = %(source_id)s

-- name: make_release_ready
UPDATE release SET state = 'ready', ready_at = now(), counts = %(counts)s, chunks = %(chunks)s, length = %(length)s
WHERE source_id = %(source_id)s AND no = %(no)s

-- name: make_release_current
UPDATE source SET head_release = %(no)s, current_release = %(no)s WHERE id = %(source_id)s

-- name: activate_old_release
SELECT activate_old_release(%(source_id)s, %(no)s) AS refusal

-- name: read_releases
SELECT release.source_id, source.name AS source, source.shard, release.no AS release, release.label, release.state,
    release.created_at, release.ready_at, release.chunks, release.counts, release.upload_id AS upload,
    release.no IS NOT DISTINCT FROM source.current_release AS current,
    release.no IS NOT DISTINCT FROM source.head_release AS head
FROM source JOIN release ON release.source_id = source.id
WHERE %(source)s::text IS NULL OR source.name = %(source)s
ORDER BY source.name, release.no DESC

-- name: fail_release
UPDATE release SET state = 'failed' WHERE source_id = %(source_id)s AND no = %(no)s

-- name: release_statistics
SELECT count(*) AS chunks, coalesce(sum(length), 0)::bigint AS length
FROM {chunk} WHERE source_id = %(source_id)s AND removed_in IS NULL

-- name: chunk_kinds
SELECT kind, count(*) AS total FROM {chunk} WHERE source_id = %(source_id)s AND removed_in IS NULL GROUP BY kind

-- name: attach_shard
SELECT attach_shard(%(shard)s)

-- name: create_shard
SELECT create_shard(%(shard)s)

-- name: drop_unattached_shard
SELECT drop_unattached_shard(%(shard)s)

-- name: sum_words
INSERT INTO word (source_id, word, release_no, documents)
SELECT %(source_id)s, word, %(no)s, sum(documents) FROM word_of_task WHERE upload_id = %(upload_id)s
GROUP BY word HAVING sum(documents) <> 0 ORDER BY word

-- name: forget_words
DELETE FROM word_of_task WHERE upload_id = %(upload_id)s

-- name: close_missing_documents
WITH seen AS (
    SELECT (member ->> 0)::bigint AS id
    FROM upload_task CROSS JOIN LATERAL jsonb_array_elements(members) AS member
    WHERE upload_id = %(upload_id)s
)
UPDATE document SET removed_in = %(no)s
WHERE source_id = %(source_id)s AND removed_in IS NULL AND added_in < %(no)s AND id NOT IN (SELECT id FROM seen)
    AND NOT (SELECT partial FROM upload WHERE id = %(upload_id)s)
RETURNING id

-- name: count_changes
SELECT
    EXISTS (SELECT FROM document WHERE source_id = %(source_id)s
        AND (added_in = %(no)s OR removed_in = %(no)s OR stale_since = %(no)s))
    OR EXISTS (SELECT FROM {chunk} WHERE source_id = %(source_id)s AND (added_in = %(no)s OR removed_in = %(no)s))
    OR EXISTS (SELECT FROM name WHERE source_id = %(source_id)s AND (added_in = %(no)s OR removed_in = %(no)s))
    OR EXISTS (SELECT FROM membership WHERE source_id = %(source_id)s AND (added_in = %(no)s OR removed_in = %(no)s))
    AS changed

-- name: undo_chunks
DELETE FROM {chunk} WHERE source_id = %(source_id)s AND added_in = %(no)s

-- name: undo_vectors
DELETE FROM {vector} AS v
WHERE source_id = %(source_id)s AND NOT EXISTS (SELECT FROM {chunk} AS c WHERE c.id = v.chunk_id)

-- name: reopen_chunks
UPDATE {chunk} SET removed_in = NULL WHERE source_id = %(source_id)s AND removed_in = %(no)s

-- name: undo_documents
DELETE FROM document WHERE source_id = %(source_id)s AND added_in = %(no)s

-- name: reopen_documents
UPDATE document SET removed_in = CASE WHEN removed_in = %(no)s THEN NULL ELSE removed_in END,
    stale_since = CASE WHEN stale_since = %(no)s THEN NULL ELSE stale_since END
WHERE source_id = %(source_id)s AND (removed_in = %(no)s OR stale_since = %(no)s)

-- name: undo_names
DELETE FROM name WHERE source_id = %(source_id)s AND added_in = %(no)s

-- name: reopen_names
UPDATE name SET removed_in = NULL WHERE source_id = %(source_id)s AND removed_in = %(no)s

-- name: undo_memberships
DELETE FROM membership WHERE source_id = %(source_id)s AND added_in = %(no)s

-- name: reopen_memberships
UPDATE membership SET removed_in = NULL WHERE source_id = %(source_id)s AND removed_in = %(no)s
