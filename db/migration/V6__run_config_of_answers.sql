-- The run config that made an answer, as name@version; null for answers from before there were any.
ALTER TABLE completion ADD COLUMN run_config text;
