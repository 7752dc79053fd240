-- How often servers have tried in vain to bring a comparison further. It is counted when one takes it, so that an attempt
-- counts too that its server did not survive.
ALTER TABLE recall_comparison ADD COLUMN attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0);
