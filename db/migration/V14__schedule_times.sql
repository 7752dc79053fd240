-- The last time of its clock at which a schedule fired, by which the same time is known if it comes again.
ALTER TABLE schedule ADD COLUMN fired_at timestamptz;
