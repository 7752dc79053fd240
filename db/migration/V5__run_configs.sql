-- Run configs: named, versioned precision profiles with sampling defaults, and which of them is active.
-- A version never changes and is never deleted, so that what an answer or an activation names can always be read.

CREATE TABLE run_config (
    name text COLLATE "C" NOT NULL CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
    version integer NOT NULL CHECK (version >= 1),
    seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    -- Flags as they were written, by key; those left out come from the model.
    profile jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(profile) = 'object'),
    -- Used where a request leaves the field out.
    sampling jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(sampling) = 'object'),
    description text NOT NULL DEFAULT '' CHECK (char_length(description) <= 2000),
    -- Name of a user; plumbline for what comes with the program.
    author text NOT NULL CHECK (author <> ''),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (name, version)
);

CREATE FUNCTION refuse_change_of_run_config() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a version of a run config is never changed or deleted';
END
$$;

CREATE TRIGGER run_config_is_immutable BEFORE UPDATE OR DELETE ON run_config
    FOR EACH ROW EXECUTE FUNCTION refuse_change_of_run_config();

-- Every attempt to make another version the active one, failed ones too.
CREATE TABLE activation (
    id uuid PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    kind text NOT NULL CHECK (kind IN ('activate', 'rollback')),
    from_name text COLLATE "C" NOT NULL,
    from_version integer NOT NULL,
    to_name text COLLATE "C" NOT NULL,
    to_version integer NOT NULL,
    -- What was in force before; null for what the database was made with.
    previous uuid REFERENCES activation (id),
    -- What a rollback undoes once this one is in force; null if nothing is left.
    undoable uuid REFERENCES activation (id),
    reason text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 500),
    author text NOT NULL CHECK (author <> ''),
    -- The server that was asked.
    instance text NOT NULL,
    status text NOT NULL CHECK (status IN ('in_progress', 'complete', 'failed')),
    failure text,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    touched_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at timestamptz,
    CHECK ((status = 'in_progress') = (ended_at IS NULL)),
    CHECK ((status = 'failed') = (failure IS NOT NULL)),
    FOREIGN KEY (from_name, from_version) REFERENCES run_config (name, version),
    FOREIGN KEY (to_name, to_version) REFERENCES run_config (name, version)
);

-- One at a time: the second of two is refused by this index.
CREATE UNIQUE INDEX activation_in_progress ON activation ((true)) WHERE status = 'in_progress';

-- What each server of the database made of an activation.
CREATE TABLE activation_instance (
    activation uuid NOT NULL REFERENCES activation (id),
    instance text NOT NULL,
    -- serving: its requests run under it; pinned: its command line names another config; failed: it cannot.
    status text NOT NULL CHECK (status IN ('serving', 'pinned', 'failed')),
    failure text,
    proof jsonb,
    millis bigint NOT NULL CHECK (millis >= 0),
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (activation, instance),
    CHECK ((status = 'failed') = (failure IS NOT NULL))
);

CREATE TABLE active_run_config (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    name text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    activation uuid REFERENCES activation (id),
    since timestamptz NOT NULL DEFAULT clock_timestamp(),
    FOREIGN KEY (name, version) REFERENCES run_config (name, version)
);

INSERT INTO run_config (name, version, profile, description, author) VALUES
    ('baseline', 1, '{}',
     'Every flag at its default, the budget of the checkpoint.', 'plumbline'),
    ('fp32-all', 1,
     '{"linear_dtype": "fp32", "index_key_dtype": "fp32", "index_score_dtype": "fp32", "kv_dtype": "fp32",
       "attention_decode": "scalar", "hyper_connection_dtype": "fp32", "expert_dtype": "fp32"}',
     'Everything in fp32: what the others are measured against. The slowest and the largest.', 'plumbline'),
    ('fp32-index', 1, '{"index_key_dtype": "fp32"}',
     'Baseline with index keys in fp32: twice their bytes, no rounding before the selection.', 'plumbline'),
    ('fp8-index', 1, '{"index_key_dtype": "fp8"}',
     'Baseline with index keys in fp8, as public servers store them: about half the bytes of bf16.', 'plumbline'),
    ('mxfp4-index', 1, '{"index_key_dtype": "mxfp4"}',
     'Baseline with index keys in mxfp4: about a quarter of the bytes of bf16.', 'plumbline'),
    ('double-budget', 1, '{"index_topk": "2x"}',
     'Baseline with twice the entries per query that the checkpoint selects.', 'plumbline'),
    ('fast-all', 1,
     '{"linear_dtype": "bf16", "index_key_dtype": "mxfp4", "index_score_dtype": "bf16", "kv_dtype": "fp8",
       "attention_decode": "mma", "hyper_connection_dtype": "bf16", "expert_dtype": "stored"}',
     'Every flag at its most reduced precision: the fastest and the smallest, and the least exact.', 'plumbline'),
    ('deepseek-reference', 1, '{"numerics": "qat"}',
     'The rotation and fake quantisation that the release was trained with.', 'plumbline'),
    ('sglang-default', 1, '{"index_key_dtype": "fp8", "kv_dtype": "fp8"}',
     'What SGLang serves by default: index keys and keys/values in fp8, the budget of the checkpoint.', 'plumbline');

INSERT INTO active_run_config (name, version) VALUES ('baseline', 1);
