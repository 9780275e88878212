-- How often an upload that stood still was set going again without any progress, and the janitor's runs.

ALTER TABLE upload ADD COLUMN requeues integer NOT NULL DEFAULT 0, ADD COLUMN requeued_at timestamptz;

-- done: how much of each kind; dead_letters: by queue. One that was skipped has neither, since another was at work.
CREATE TABLE janitor_run (
    id uuid PRIMARY KEY,
    requested_by text,
    requested_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    done jsonb,
    dead_letters jsonb
);
GRANT SELECT, INSERT, UPDATE, DELETE ON janitor_run TO indexer;
