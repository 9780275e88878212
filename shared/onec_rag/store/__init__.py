"""Everything that speaks SQL, and the only importer of psycopg; decides nothing, formats nothing for a person."""
