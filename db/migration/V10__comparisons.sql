-- Comparisons: two runs of the same cells, a third of the baseline for its noise, and where answers seem lost two more of
-- fresh cells. Any server of the database takes one further whose runs have ended. The verdict stays when runs are deleted.

CREATE TABLE recall_comparison (
    id uuid PRIMARY KEY,
    -- Name of the user who started it; plumbline for what the program starts by itself.
    owner text NOT NULL CHECK (owner <> ''),
    purpose text NOT NULL CHECK (purpose IN ('manual', 'gate', 'schedule')),
    suite_name text COLLATE "C" NOT NULL,
    suite_version integer NOT NULL CHECK (suite_version >= 1),
    seeds bigint[] NOT NULL CHECK (cardinality(seeds) >= 1),
    -- As they were asked for: the runs may be gone.
    baseline_name text COLLATE "C",
    baseline_version integer,
    baseline_target text,
    candidate_name text COLLATE "C",
    candidate_version integer,
    candidate_target text,
    -- Share of answers that may be lost.
    margin double precision NOT NULL CHECK (margin > 0 AND margin < 1),
    baseline_run uuid REFERENCES run (id) ON DELETE SET NULL,
    candidate_run uuid REFERENCES run (id) ON DELETE SET NULL,
    again_run uuid REFERENCES run (id) ON DELETE SET NULL,
    fresh_baseline_run uuid REFERENCES run (id) ON DELETE SET NULL,
    fresh_candidate_run uuid REFERENCES run (id) ON DELETE SET NULL,
    -- Which part of it is on: the first three runs, the fresh ones, or none any more.
    state text NOT NULL CHECK (state IN ('running', 'confirming', 'finished', 'failed')),
    failure text,
    verdict text CHECK (verdict IN ('SAFE', 'REGRESSION', 'NOT ENOUGH EVIDENCE')),
    sentence text,
    -- The whole report as JSON, by the rules of StoredText.
    report text,
    -- When a server took it to bring it further; that server may have ended since.
    claimed_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at timestamptz,
    CHECK ((state IN ('running', 'confirming')) = (ended_at IS NULL)),
    CHECK ((state = 'failed') = (failure IS NOT NULL)),
    CHECK ((state = 'finished') = (verdict IS NOT NULL)),
    CHECK ((verdict IS NULL) = (sentence IS NULL) AND (verdict IS NULL) = (report IS NULL)),
    CHECK ((baseline_name IS NULL) = (baseline_version IS NULL)),
    CHECK ((candidate_name IS NULL) = (candidate_version IS NULL)),
    FOREIGN KEY (baseline_name, baseline_version) REFERENCES run_config (name, version),
    FOREIGN KEY (candidate_name, candidate_version) REFERENCES run_config (name, version)
);

CREATE INDEX recall_comparison_open ON recall_comparison (id) WHERE state IN ('running', 'confirming');
CREATE INDEX recall_comparison_by_baseline ON recall_comparison (baseline_run);
CREATE INDEX recall_comparison_by_candidate ON recall_comparison (candidate_run);
CREATE INDEX recall_comparison_by_again ON recall_comparison (again_run);
CREATE INDEX recall_comparison_by_fresh_baseline ON recall_comparison (fresh_baseline_run);
CREATE INDEX recall_comparison_by_fresh_candidate ON recall_comparison (fresh_candidate_run);
