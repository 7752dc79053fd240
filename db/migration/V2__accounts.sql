-- Who may call, and with which keys. Keys are random and long, hence a plain SHA-256 is enough; passwords are not.

CREATE TABLE app_user (
    id uuid PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 64),
    -- As Spring Security's encoder writes it: {bcrypt}...
    password text NOT NULL,
    scopes text[] NOT NULL CHECK (scopes <@ ARRAY ['chat', 'operate', 'admin']),
    disabled boolean NOT NULL DEFAULT false,
    -- A session that was begun under another number is over.
    session_epoch bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE UNIQUE INDEX app_user_name ON app_user (lower(name));

CREATE TABLE api_key (
    id uuid PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    user_id uuid NOT NULL REFERENCES app_user (id),
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    -- The key's first characters, for people to recognise it by.
    prefix text NOT NULL,
    scopes text[] NOT NULL CHECK (scopes <@ ARRAY ['chat', 'operate', 'admin']),
    rate_limit_per_minute integer CHECK (rate_limit_per_minute > 0),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_used_at timestamptz,
    expires_at timestamptz,
    revoked_at timestamptz
);

CREATE INDEX api_key_by_user ON api_key (user_id);
