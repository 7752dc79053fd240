-- What tells a run that nobody can ask any more from one that another server goes on with.

-- Of the checkpoint that a server hosts; null while it loads.
ALTER TABLE run_worker ADD COLUMN model_hash text;

-- Servers that could not ask a run when they last tried.
CREATE TABLE run_refusal (
    run_id uuid NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    instance text NOT NULL REFERENCES run_worker (instance) ON DELETE CASCADE,
    PRIMARY KEY (run_id, instance)
);

CREATE INDEX run_refusal_by_instance ON run_refusal (instance);
