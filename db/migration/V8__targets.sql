-- Servers elsewhere that runs can be asked of.

CREATE TABLE recall_target (
    id uuid PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    name text COLLATE "C" NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
    kind text NOT NULL CHECK (kind IN ('openai', 'sglang')),
    -- Without a path's last slash and without /v1.
    url text NOT NULL CHECK (url ~ '^https?://'),
    -- As SecretBox seals it; null if the server wants no key.
    sealed_key bytea,
    model text NOT NULL CHECK (char_length(model) BETWEEN 1 AND 200),
    -- Names the checkpoint, so that runs on two servers can be compared; may be empty.
    weights text NOT NULL DEFAULT '' CHECK (char_length(weights) <= 200),
    -- Fields that every request's body gets besides those of a cell.
    extra_body jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(extra_body) = 'object'),
    window_tokens integer NOT NULL CHECK (window_tokens >= 1),
    budget_tokens integer NOT NULL CHECK (budget_tokens >= 0),
    parallel integer NOT NULL CHECK (parallel BETWEEN 1 AND 256),
    connect_seconds integer NOT NULL CHECK (connect_seconds BETWEEN 1 AND 60),
    silence_seconds integer NOT NULL CHECK (silence_seconds BETWEEN 1 AND 3600),
    answer_seconds integer NOT NULL CHECK (answer_seconds BETWEEN 1 AND 7200),
    author text NOT NULL CHECK (author <> ''),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
