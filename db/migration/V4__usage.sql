-- What was asked of the model, by whom and with which key, by the hour.

CREATE TABLE key_usage (
    -- Id of the user.
    owner text NOT NULL,
    -- Id of the key; or PLUMBLINE_API_KEY; or session, for what was asked from the console.
    key text NOT NULL,
    hour timestamptz NOT NULL,
    requests bigint NOT NULL DEFAULT 0,
    errors bigint NOT NULL DEFAULT 0,
    prompt_tokens bigint NOT NULL DEFAULT 0,
    completion_tokens bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (owner, key, hour)
);

CREATE INDEX key_usage_by_hour ON key_usage (hour);
