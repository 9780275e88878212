-- name: read_names
SELECT root, fqn, title, adopted FROM name
WHERE source_id = %(source_id)s AND fqn = ANY (%(fqns)s) AND added_in <= %(no)s AND removed_in IS NULL

-- name: read_inverse_memberships
SELECT DISTINCT other_fqn, relation, fqn FROM membership
WHERE source_id = %(source_id)s AND other_fqn = ANY (%(fqns)s) AND added_in <= %(no)s AND removed_in IS NULL
ORDER BY other_fqn, relation, fqn

-- name: open_documents
SELECT id, root, path, kind, fqn, title, section, adopted, file_hash, outline_hash, stale_since FROM document
WHERE source_id = %(source_id)s AND id = ANY (%(ids)s) AND removed_in IS NULL AND added_in < %(no)s

-- name: close_documents
UPDATE document SET removed_in = %(no)s
WHERE source_id = %(source_id)s AND id = ANY (%(ids)s) AND removed_in IS NULL AND added_in < %(no)s

-- name: mark_documents_stale
UPDATE document SET stale_since = %(no)s
WHERE source_id = %(source_id)s AND id = ANY (%(ids)s) AND removed_in IS NULL AND stale_since IS NULL

-- name: open_chunks
SELECT id, row_key FROM {chunk}
WHERE source_id = %(source_id)s AND document_id = ANY (%(ids)s) AND removed_in IS NULL AND added_in < %(no)s

-- name: close_chunks
WITH closed AS (
    UPDATE {chunk} SET removed_in = %(no)s WHERE source_id = %(source_id)s AND id = ANY (%(ids)s) RETURNING terms
)
INSERT INTO word_of_task (upload_id, word, documents)
SELECT %(upload_id)s, word, -count(*) FROM closed CROSS JOIN LATERAL unnest(akeys(terms)) AS word GROUP BY word

-- name: open_names
SELECT document_id, root, fqn, kind, title, synonyms, adopted FROM name
WHERE source_id = %(source_id)s AND document_id = ANY (%(ids)s) AND removed_in IS NULL AND added_in < %(no)s

-- name: close_names
UPDATE name SET removed_in = %(no)s
FROM unnest(%(document_ids)s::bigint[], %(fqns)s::text[]) AS gone (document_id, fqn)
WHERE source_id = %(source_id)s AND removed_in IS NULL AND added_in < %(no)s
    AND name.document_id = gone.document_id AND name.fqn = gone.fqn

-- name: open_memberships
SELECT document_id, fqn, relation, other_fqn FROM membership
WHERE source_id = %(source_id)s AND document_id = ANY (%(ids)s) AND removed_in IS NULL AND added_in < %(no)s

-- name: close_memberships
UPDATE membership SET removed_in = %(no)s
FROM unnest(%(document_ids)s::bigint[], %(fqns)s::text[], %(relations)s::text[], %(others)s::text[])
    AS gone (document_id, fqn, relation, other_fqn)
WHERE source_id = %(source_id)s AND removed_in IS NULL AND added_in < %(no)s
    AND membership.document_id = gone.document_id AND membership.fqn = gone.fqn
    AND membership.relation = gone.relation AND membership.other_fqn = gone.other_fqn

-- name: close_missing_names
UPDATE name SET removed_in = %(no)s
WHERE source_id = %(source_id)s AND removed_in IS NULL AND added_in < %(no)s
    AND document_id NOT IN (
        SELECT (member ->> 0)::bigint
        FROM upload_task CROSS JOIN LATERAL jsonb_array_elements(members) AS member
        WHERE upload_id = %(upload_id)s
    )
    AND NOT (SELECT partial FROM upload WHERE id = %(upload_id)s)

-- name: close_missing_memberships
UPDATE membership SET removed_in = %(no)s
WHERE source_id = %(source_id)s AND removed_in IS NULL AND added_in < %(no)s
    AND document_id NOT IN (
        SELECT (member ->> 0)::bigint
        FROM upload_task CROSS JOIN LATERAL jsonb_array_elements(members) AS member
        WHERE upload_id = %(upload_id)s
    )
    AND NOT (SELECT partial FROM upload WHERE id = %(upload_id)s)

-- name: insert_outline
INSERT INTO outline (hash, places) VALUES (%(hash)s, %(places)s) ON CONFLICT (hash) DO NOTHING
