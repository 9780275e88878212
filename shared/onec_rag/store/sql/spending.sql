-- name: book_embedding
INSERT INTO embedding_pace AS pace (space, free_at)
VALUES (%(space)s, clock_timestamp() + make_interval(secs => %(seconds)s))
ON CONFLICT (space) DO UPDATE
SET free_at = greatest(pace.free_at, pace.not_before, clock_timestamp()) + make_interval(secs => %(seconds)s)
WHERE greatest(pace.free_at, pace.not_before) <= clock_timestamp() + make_interval(secs => %(horizon)s)
RETURNING extract(epoch FROM free_at - clock_timestamp())::float8 - %(seconds)s::float8 AS wait

-- name: embedding_held
SELECT extract(epoch FROM not_before - clock_timestamp())::float8 AS wait
FROM embedding_pace WHERE space = %(space)s AND not_before > clock_timestamp()

-- name: count_failure
INSERT INTO embedding_pace AS pace (space, failures) VALUES (%(space)s, 1)
ON CONFLICT (space) DO UPDATE SET failures = pace.failures + 1
RETURNING failures

-- name: hold_embedding
UPDATE embedding_pace SET not_before = greatest(not_before, clock_timestamp() + make_interval(secs => %(seconds)s))
WHERE space = %(space)s

-- name: forget_failures
UPDATE embedding_pace SET failures = 0 WHERE space = %(space)s AND failures > 0

-- name: count_embedded
WITH old AS (
    DELETE FROM embedded_minute
    WHERE space = %(space)s AND minute < date_trunc('minute', clock_timestamp()) - interval '1 hour'
)
INSERT INTO embedded_minute AS known (space, minute, texts, tokens)
VALUES (%(space)s, date_trunc('minute', clock_timestamp()), %(texts)s, %(tokens)s)
ON CONFLICT (space, minute) DO UPDATE
SET texts = known.texts + EXCLUDED.texts, tokens = known.tokens + EXCLUDED.tokens

-- name: read_vector_plan
SELECT texts, tokens, price, held FROM vector_plan WHERE source_id = %(source_id)s AND release_no = %(no)s

-- name: describe_release
SELECT source.name AS source, release.label FROM source JOIN release ON release.source_id = source.id
WHERE source.id = %(source_id)s AND release.no = %(no)s

-- name: write_vector_plan
INSERT INTO vector_plan (source_id, release_no, texts, tokens, price, held)
VALUES (%(source_id)s, %(no)s, %(texts)s, %(tokens)s, %(price)s, %(held)s)
ON CONFLICT (source_id, release_no) DO UPDATE
SET texts = EXCLUDED.texts, tokens = EXCLUDED.tokens, price = EXCLUDED.price, held = EXCLUDED.held

-- name: vector_progress
SELECT * FROM vector_progress(%(space)s::smallint, %(source)s)

-- name: release_vectors
SELECT release_vectors(%(source_id)s) AS released

-- name: retry_refused_texts
SELECT retry_refused_texts(%(source_id)s) AS forgotten
