package dev.plumbline.schedule;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * One time that a schedule compared something.
 *
 * @param id what the API calls it
 * @param schedule whose it is
 * @param reason why then
 * @param due when it should have been
 * @param started when it was
 * @param ended when the verdict was there; null before
 * @param suite {@code name/version}; null before it is known
 * @param candidate {@code name@version}; null before it is known
 * @param baseline {@code name@version}; null before it is known
 * @param comparison what is compared; null before it began
 * @param verdict null before the end
 * @param summary the verdict in a sentence, or why there is none; null before the end
 * @param changed whether the verdict is another than before; null before the end
 * @param event what was told of the change; null without a change or a webhook
 */
public record Firing(
        UUID id,
        UUID schedule,
        Reason reason,
        Instant due,
        Instant started,
        Instant ended,
        String suite,
        String candidate,
        String baseline,
        UUID comparison,
        Verdict verdict,
        String summary,
        Boolean changed,
        Event event) {

    /** Why a schedule fires. */
    public enum Reason {
        CRON,
        ACTIVATION,
        MANUAL
    }

    /**
     * A change that is told to a webhook.
     *
     * @param id names it for the receiver too
     * @param state waiting, delivered or failed
     * @param attempts the first first
     */
    public record Event(UUID id, String state, List<Attempt> attempts) {
        /** Copies the list. */
        public Event {
            attempts = List.copyOf(attempts);
        }
    }

    /**
     * An attempt to tell.
     *
     * @param at when
     * @param millis how long it took
     * @param status of HTTP; null without an answer
     * @param failure why it does not count; null if it was delivered
     */
    public record Attempt(Instant at, long millis, Integer status, String failure) {}
}
