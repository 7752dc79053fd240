-- Conversations, and the answers given in them or stored on their own.
-- Text is stored by the rules of StoredText: PostgreSQL's text cannot hold U+0000.

CREATE TABLE conversation (
    id uuid PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    owner text NOT NULL CHECK (owner <> ''),
    title text NOT NULL DEFAULT '' CHECK (char_length(title) <= 400),
    metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple', title)) STORED
);

CREATE INDEX conversation_by_owner ON conversation (owner, seq);
CREATE INDEX conversation_search ON conversation USING gin (search);

-- One request and its answer. Content grows while the answer is in progress.
CREATE TABLE completion (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    owner text NOT NULL CHECK (owner <> ''),
    conversation_id uuid REFERENCES conversation (id) ON DELETE CASCADE,
    -- Whether the client asked to store it, beyond its conversation.
    listed boolean NOT NULL,
    model text NOT NULL,
    fingerprint text NOT NULL,
    metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
    status text NOT NULL CHECK (status IN ('in_progress', 'complete', 'incomplete')),
    content text NOT NULL DEFAULT '',
    reasoning text NOT NULL DEFAULT '',
    finish_reason text CHECK (finish_reason IN ('stop', 'length')),
    prompt_tokens integer CHECK (prompt_tokens >= 0),
    completion_tokens integer CHECK (completion_tokens >= 0),
    reasoning_tokens integer CHECK (reasoning_tokens BETWEEN 0 AND completion_tokens),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    touched_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- An index of more text could exceed the size of a tsvector; an index of growing text would be rebuilt each time.
    search tsvector GENERATED ALWAYS AS (
        CASE WHEN status = 'in_progress' THEN NULL ELSE to_tsvector('simple', left(content, 200000)) END) STORED,
    CHECK (listed OR conversation_id IS NOT NULL),
    CHECK ((status = 'complete') = (finish_reason IS NOT NULL AND completion_tokens IS NOT NULL))
);

CREATE INDEX completion_by_owner ON completion (owner, seq) WHERE listed;
CREATE INDEX completion_by_conversation ON completion (conversation_id, seq);
CREATE INDEX completion_metadata ON completion USING gin (metadata jsonb_path_ops);
CREATE INDEX completion_search ON completion USING gin (search);
-- A conversation has one answer at a time; and the few rows that a dead server may have left.
CREATE UNIQUE INDEX completion_in_progress ON completion (conversation_id) WHERE status = 'in_progress';
CREATE INDEX completion_unfinished ON completion (touched_at) WHERE status = 'in_progress';

-- What a request brought, in order.
CREATE TABLE message (
    completion_seq bigint NOT NULL REFERENCES completion (seq) ON DELETE CASCADE,
    position integer NOT NULL CHECK (position >= 0),
    role text NOT NULL CHECK (role IN ('system', 'developer', 'user', 'assistant')),
    content text NOT NULL,
    reasoning text NOT NULL DEFAULT '',
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple', left(content, 200000))) STORED,
    PRIMARY KEY (completion_seq, position)
);

CREATE INDEX message_search ON message USING gin (search);
