-- Recurring comparisons of a run config with a pinned one, and what is told of their verdicts.

-- Of the db-scheduler library, as its documentation gives it: what is due when, and which server has taken it.
CREATE TABLE scheduled_task (
    task_name text NOT NULL,
    task_instance text NOT NULL,
    task_data bytea,
    execution_time timestamptz NOT NULL,
    picked boolean NOT NULL,
    picked_by text,
    last_success timestamptz,
    last_failure timestamptz,
    consecutive_failures integer,
    last_heartbeat timestamptz,
    version bigint NOT NULL,
    priority smallint,
    PRIMARY KEY (task_name, task_instance)
);

CREATE INDEX scheduled_task_due ON scheduled_task (execution_time);
CREATE INDEX scheduled_task_heartbeat ON scheduled_task (last_heartbeat);

CREATE TABLE schedule (
    id uuid PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    -- NAME or NAME/VERSION.
    suite text NOT NULL,
    -- NAME or NAME@VERSION; null stands for what is active.
    candidate text,
    -- NAME@VERSION.
    baseline text NOT NULL,
    margin double precision CHECK (margin > 0 AND margin < 1),
    -- Five fields; null for none.
    cron text,
    zone text NOT NULL,
    on_activation boolean NOT NULL,
    enabled boolean NOT NULL,
    webhook_url text,
    -- Encrypted for this row.
    webhook_secret bytea,
    -- The activation that was last looked at.
    seen_activation uuid,
    -- What the last finished firing found; null before, and again after a change of what is compared.
    verdict text CHECK (verdict IN ('safe', 'regression', 'not_enough_evidence', 'error')),
    verdict_firing uuid,
    verdict_since timestamptz,
    -- Name of a user.
    author text NOT NULL CHECK (author <> ''),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CHECK (cron IS NOT NULL OR on_activation),
    CHECK ((webhook_url IS NULL) = (webhook_secret IS NULL)),
    CHECK ((verdict IS NULL) = (verdict_firing IS NULL) AND (verdict IS NULL) = (verdict_since IS NULL))
);

CREATE UNIQUE INDEX schedule_name ON schedule (lower(name));

-- Each time a schedule compared something.
CREATE TABLE schedule_firing (
    id uuid PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    schedule uuid NOT NULL REFERENCES schedule (id) ON DELETE CASCADE,
    reason text NOT NULL CHECK (reason IN ('cron', 'activation', 'manual')),
    due_at timestamptz NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at timestamptz,
    -- With the versions that were compared, as soon as they are known.
    suite text,
    candidate text,
    baseline text,
    comparison uuid,
    verdict text CHECK (verdict IN ('safe', 'regression', 'not_enough_evidence', 'error')),
    -- The verdict in a sentence, or why there is none.
    summary text,
    changed boolean,
    CHECK ((ended_at IS NULL) = (verdict IS NULL)),
    CHECK ((ended_at IS NULL) = (changed IS NULL))
);

-- Never two of one schedule at once, whatever server fires them.
CREATE UNIQUE INDEX schedule_firing_running ON schedule_firing (schedule) WHERE ended_at IS NULL;
CREATE INDEX schedule_firing_by_schedule ON schedule_firing (schedule, seq);

-- A change of a schedule's verdict, to be told to its webhook.
CREATE TABLE schedule_event (
    id uuid PRIMARY KEY,
    firing uuid NOT NULL UNIQUE REFERENCES schedule_firing (id) ON DELETE CASCADE,
    -- The body, the same at every attempt.
    payload text NOT NULL,
    state text NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE schedule_event_attempt (
    event uuid NOT NULL REFERENCES schedule_event (id) ON DELETE CASCADE,
    attempt integer NOT NULL CHECK (attempt >= 1),
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    millis bigint NOT NULL CHECK (millis >= 0),
    -- Of HTTP; null if there was no answer.
    status integer,
    -- Why it does not count; null if it was delivered.
    failure text,
    PRIMARY KEY (event, attempt)
);
