-- name: ensure_space
INSERT INTO space (model, dimensions, prefix, active) VALUES (%(model)s, %(dimensions)s, %(prefix)s, true)
ON CONFLICT DO NOTHING

-- name: drop_unused_space
DELETE FROM space AS s
WHERE s.active AND NOT EXISTS (SELECT FROM chunk_vector AS v WHERE v.space = s.id)
    AND (s.model, s.dimensions, s.prefix) <> (%(model)s, %(dimensions)s, %(prefix)s)
    AND NOT EXISTS (SELECT FROM space WHERE filling)

-- name: activate_known_space
UPDATE space SET active = true, filling = false, retired_at = NULL
WHERE (model, dimensions, prefix) = (%(model)s, %(dimensions)s, %(prefix)s)
    AND NOT filling AND NOT EXISTS (SELECT FROM space WHERE active)

-- name: active_space
SELECT id, model, dimensions, prefix, query_prefix, base_url, stands_for, active, filling, problem
FROM space WHERE active

-- name: filling_space
SELECT id, model, dimensions, prefix, query_prefix, base_url, stands_for, active, filling, problem
FROM space WHERE filling

-- name: note_space_problem
UPDATE space SET problem = %(problem)s WHERE id = %(space)s AND problem IS DISTINCT FROM %(problem)s

-- name: begin_filling
SELECT begin_filling(
    %(model)s, %(dimensions)s, %(prefix)s, %(query_prefix)s, %(base_url)s, %(settings)s) AS space

-- name: abandon_filling
SELECT abandon_filling() AS space

-- name: cut_over
SELECT cut_over(%(space)s::smallint) AS done

-- name: remove_retired_space
SELECT remove_retired_space(%(most)s, %(grace)s) AS more

-- name: count_retired_spaces
SELECT count(*) AS retired FROM space WHERE NOT active AND NOT filling
