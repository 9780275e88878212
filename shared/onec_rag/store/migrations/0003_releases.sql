-- Releases can be deleted. Numbers are never given twice: this is the highest one that a deleted release had.
ALTER TABLE source ADD COLUMN deleted_release integer NOT NULL DEFAULT 0;
