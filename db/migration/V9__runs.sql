-- Runs: a suite asked under one run config on one target, cell by cell. Servers that share the database share the cells.
-- Text that models write is stored by the rules of StoredText. Maps are json, which unlike jsonb keeps their order.

CREATE TABLE run (
    id uuid PRIMARY KEY,
    -- Name of the user who started it; plumbline for what the program starts by itself.
    owner text NOT NULL CHECK (owner <> ''),
    purpose text NOT NULL CHECK (purpose IN ('manual', 'gate', 'schedule', 'confirmation', 'noise')),
    suite_name text COLLATE "C" NOT NULL,
    suite_version integer NOT NULL CHECK (suite_version >= 1),
    suite_hash text NOT NULL,
    -- As it was when the run was made, whatever becomes of the suite.
    suite_yaml text NOT NULL,
    edge_window integer NOT NULL CHECK (edge_window >= 0),
    edge_budget integer NOT NULL CHECK (edge_budget >= 0),
    seeds bigint[] NOT NULL CHECK (cardinality(seeds) >= 1),
    -- What flags the engine has; null on a target whose flags are its own business.
    config_name text COLLATE "C",
    config_version integer,
    -- A stored target; null is the engine of these servers.
    target_id uuid,
    -- Another run whose prompts are asked, measured as they were there.
    prompts_of uuid REFERENCES run (id) ON DELETE SET NULL,
    -- Of the checkpoint: only servers that have it take cells of a run of the engine. Empty if a target does not tell.
    model_hash text NOT NULL,
    target json NOT NULL CHECK (json_typeof(target) = 'object'),
    flags json NOT NULL DEFAULT '{}' CHECK (json_typeof(flags) = 'object'),
    measure text NOT NULL,
    scorer text NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'finished', 'cancelled', 'failed')),
    failure text,
    cells integer NOT NULL CHECK (cells >= 1),
    passed integer NOT NULL DEFAULT 0,
    failed integer NOT NULL DEFAULT 0,
    truncated integer NOT NULL DEFAULT 0,
    errors integer NOT NULL DEFAULT 0,
    -- Number of the last event.
    events bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    started_at timestamptz,
    ended_at timestamptz,
    CHECK ((state = 'failed') = (failure IS NOT NULL)),
    CHECK ((state IN ('waiting', 'running')) = (ended_at IS NULL)),
    CHECK (passed + failed + truncated + errors <= cells),
    CHECK (state <> 'finished' OR passed + failed + truncated + errors = cells),
    CHECK ((config_name IS NULL) = (config_version IS NULL)),
    CHECK (target_id IS NOT NULL OR config_name IS NOT NULL),
    FOREIGN KEY (config_name, config_version) REFERENCES run_config (name, version)
);

CREATE INDEX run_unfinished ON run (id) WHERE state IN ('waiting', 'running');
CREATE INDEX run_by_suite ON run (suite_name, id);
CREATE INDEX run_by_config ON run (config_name, id);
CREATE INDEX run_by_prompts ON run (prompts_of) WHERE prompts_of IS NOT NULL;

-- A user's own text that needles were hidden in; without one they are hidden in the built-in texts.
CREATE TABLE run_haystack (
    run_id uuid PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    text text NOT NULL
);

CREATE TABLE run_cell (
    run_id uuid NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    -- Place in the suite's list of cells.
    ordinal integer NOT NULL CHECK (ordinal >= 0),
    -- Ordinal of the first cell about the same text: they share most of their prompts and are taken together.
    text integer NOT NULL CHECK (text BETWEEN 0 AND ordinal),
    cell_id text COLLATE "C" NOT NULL,
    stratum text NOT NULL,
    length integer NOT NULL,
    state text NOT NULL DEFAULT 'waiting'
        CHECK (state IN ('waiting', 'claimed', 'passed', 'failed', 'truncated', 'error')),
    claimed_by text,
    prompt_hash text NOT NULL DEFAULT '',
    expected text[] NOT NULL DEFAULT '{}',
    answer text NOT NULL DEFAULT '',
    distance integer NOT NULL DEFAULT 0,
    reason text NOT NULL DEFAULT '',
    finish_reason text NOT NULL DEFAULT '',
    prompt_tokens integer NOT NULL DEFAULT 0,
    answer_tokens integer NOT NULL DEFAULT 0,
    first_token_ms double precision,
    total_ms double precision,
    needle json NOT NULL DEFAULT '[]',
    -- The server that has asked it.
    asked_by text,
    ended_at timestamptz,
    PRIMARY KEY (run_id, ordinal),
    UNIQUE (run_id, cell_id),
    CHECK ((state = 'claimed') = (claimed_by IS NOT NULL)),
    CHECK ((state IN ('waiting', 'claimed')) = (ended_at IS NULL))
);

CREATE INDEX run_cell_waiting ON run_cell (run_id, text, ordinal) WHERE state = 'waiting';
CREATE INDEX run_cell_claimed ON run_cell (claimed_by) WHERE state = 'claimed';

-- What happened to a run, numbered without gaps: a result, or another state.
CREATE TABLE run_event (
    run_id uuid NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    number bigint NOT NULL CHECK (number >= 1),
    ordinal integer,
    state text,
    PRIMARY KEY (run_id, number),
    CHECK ((ordinal IS NULL) <> (state IS NULL))
);

-- Servers that take cells. What one has claimed that was not seen for a while is free again.
CREATE TABLE run_worker (
    instance text PRIMARY KEY,
    touched_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
