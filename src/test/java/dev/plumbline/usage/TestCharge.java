package dev.plumbline.usage;

import dev.plumbline.database.Database;

/** Charges for tests that are not about usage. */
public final class TestCharge {
    private TestCharge() {}

    /** One that is stored only with an answer. */
    public static Charge of(Database database) {
        return new UsageLedger(database).open(new Account("owner", "key"));
    }
}
