-- Suites: named, versioned grids of recall tests. A version never changes and is never deleted, so that what a run or a
-- verdict names can always be read.

CREATE TABLE suite (
    name text COLLATE "C" NOT NULL CHECK (name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
    version integer NOT NULL CHECK (version >= 1),
    seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    -- The whole suite as YAML, as it is exported.
    document text NOT NULL CHECK (octet_length(document) <= 65536),
    -- SHA-256 of what is asked: equal for suites with equal strata, whatever their names.
    hash text NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
    -- Whether it came with the program and not from a user.
    built_in boolean NOT NULL,
    -- Name of a user; plumbline for what comes with the program.
    author text NOT NULL CHECK (author <> ''),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (name, version)
);

CREATE FUNCTION refuse_change_of_suite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a version of a suite is never changed or deleted';
END
$$;

CREATE TRIGGER suite_is_immutable BEFORE UPDATE OR DELETE ON suite
    FOR EACH ROW EXECUTE FUNCTION refuse_change_of_suite();
