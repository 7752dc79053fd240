package dev.plumbline.schedule;

import dev.plumbline.document.Words;

/** Something cannot be done as things stand; the message says why. */
public final class ScheduleException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String field;
    private final String code;

    private ScheduleException(String field, String code, String message) {
        super(message, null, false, false);
        this.field = field;
        this.code = code;
    }

    static ScheduleException nameTaken(String name) {
        return new ScheduleException(
                "name",
                "schedule_exists",
                "Another schedule is called '" + Words.shown(name) + "'; choose another name.");
    }

    static ScheduleException running(String firing) {
        return new ScheduleException(
                null,
                "schedule_running",
                "The schedule is comparing already, in firing " + firing + "; wait for its end.");
    }

    static ScheduleException firing() {
        return new ScheduleException(
                null, "schedule_firing", "The schedule's time has just come; ask again in a second.");
    }

    /** The field that is in the way, or null. */
    public String field() {
        return field;
    }

    /** What is in the way, in the API's words. */
    public String code() {
        return code;
    }
}
