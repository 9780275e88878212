"""From an object in the bucket to a searchable release: plan, process, activate, embed, clean up; no HTTP faces."""
