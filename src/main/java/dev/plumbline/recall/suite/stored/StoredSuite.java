package dev.plumbline.recall.suite.stored;

import dev.plumbline.recall.suite.Suite;
import java.time.Instant;

/**
 * A version of a suite; it never changes.
 *
 * @param suite its name, version and strata
 * @param hash SHA-256 of what is asked, equal for suites with equal strata
 * @param builtIn whether it came with the program
 * @param author name of the user who made it
 * @param created when
 */
public record StoredSuite(Suite suite, String hash, boolean builtIn, String author, Instant created) {

    /** {@code name/version}. */
    public String id() {
        return suite.label();
    }
}
