-- What the formats tell of a document, and where an upload lies that had to be repacked.

ALTER TABLE upload ADD COLUMN staged_version text;

-- Whether an extension has taken the thing over from the configuration it extends. The root tells things of one name
-- apart, that of a configuration and that of an extension in the same upload.
ALTER TABLE document ADD COLUMN adopted boolean NOT NULL DEFAULT false;
ALTER TABLE name ADD COLUMN root text NOT NULL DEFAULT '', ADD COLUMN adopted boolean NOT NULL DEFAULT false;

-- These filter by facets too from now on; with the old parameters they would be functions of their own.
DROP FUNCTION IF EXISTS search_chunks(
    integer[], integer[], text[], tsquery[], real[], integer, halfvec, smallint, text[], text, boolean, integer);
DROP FUNCTION IF EXISTS lexical_candidates(integer[], integer[], tsquery[], real[], text[], text, integer);
DROP FUNCTION IF EXISTS vector_candidates(
    integer[], integer[], halfvec, smallint, text[], text, boolean, integer);
DROP FUNCTION IF EXISTS count_chunks(integer[], integer[], text[], text, integer);
