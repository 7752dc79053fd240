package dev.plumbline.conversation;

import java.time.Instant;
import java.util.UUID;

/** Ids that grow with time, so that a list can go on after one whose item is gone: version 7 of RFC 9562. */
public final class TimeOrderedId {
    private static final long VERSION = 0x7000L;
    private static final int NANOS_OF_MILLI = 1_000_000;
    private static final int FRACTION_BITS = 12;

    private TimeOrderedId() {}

    /** A new id of this time; the 12 bits after the milliseconds are their fraction. */
    public static UUID at(Instant time) {
        long fraction = ((long) (time.getNano() % NANOS_OF_MILLI) << FRACTION_BITS) / NANOS_OF_MILLI;
        long high = time.toEpochMilli() << 16 | VERSION | fraction;
        return new UUID(high, UUID.randomUUID().getLeastSignificantBits());
    }
}
