package dev.plumbline.schedule;

import java.time.Duration;

/** Something that one of the servers does again and again. */
interface Recurring {
    /** Names it in the database. */
    String name();

    /** How long it rests. */
    Duration period();

    /** Does it once; takes seconds at most. */
    void run();
}
