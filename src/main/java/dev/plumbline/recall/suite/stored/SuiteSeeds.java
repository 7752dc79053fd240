package dev.plumbline.recall.suite.stored;

import dev.plumbline.database.Database;
import dev.plumbline.database.OnceAnswered;
import dev.plumbline.recall.suite.BuiltInSuites;
import dev.plumbline.recall.suite.Suite;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Puts the built-in suites into the database when a server starts, as soon as that answers. */
@Component
final class SuiteSeeds extends OnceAnswered {
    private static final Logger LOG = LoggerFactory.getLogger(SuiteSeeds.class);

    private final SuiteStore suites;

    SuiteSeeds(Database database, SuiteStore suites) {
        super(database);
        this.suites = suites;
    }

    @Override
    protected void put() {
        for (Suite suite : BuiltInSuites.all()) {
            if (!suites.keep(suite)) {
                LOG.info(
                        "The built-in suite {} is not in the database: the name belongs to a user's suite",
                        suite.label());
            }
        }
    }
}
