-- Lists go by id, and ids grow with time: a list goes on after an item that has been deleted meanwhile.
-- The search of texts is bounded more tightly: a word with hyphens is indexed twice, whole and in parts, and 200,000
-- characters of four bytes each could then exceed what an index entry holds.

DROP INDEX completion_by_owner;
CREATE INDEX completion_by_owner ON completion (owner, id COLLATE "C") WHERE listed;
DROP INDEX conversation_by_owner;
CREATE INDEX conversation_by_owner ON conversation (owner, id);

ALTER TABLE completion DROP COLUMN search;
ALTER TABLE completion ADD COLUMN search tsvector GENERATED ALWAYS AS (
    CASE WHEN status = 'in_progress' THEN NULL ELSE to_tsvector('simple', left(content, 100000)) END) STORED;
CREATE INDEX completion_search ON completion USING gin (search);

ALTER TABLE message DROP COLUMN search;
ALTER TABLE message ADD COLUMN search tsvector GENERATED ALWAYS AS (to_tsvector('simple', left(content, 100000))) STORED;
CREATE INDEX message_search ON message USING gin (search);
