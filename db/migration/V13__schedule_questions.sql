-- Which question of its schedule a firing answers: it changes with what is compared.
ALTER TABLE schedule ADD COLUMN question bigint NOT NULL DEFAULT 0;
ALTER TABLE schedule_firing ADD COLUMN question bigint NOT NULL DEFAULT 0;
