package dev.plumbline.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.UUID;

/**
 * A comparison that repeats.
 *
 * @param id what the API calls it
 * @param name unique, for people
 * @param suite {@code NAME} or {@code NAME/VERSION}
 * @param candidate {@code NAME} or {@code NAME@VERSION}; null stands for what is active
 * @param baseline {@code NAME@VERSION}
 * @param margin the loss that is accepted; null for the usual one
 * @param cron five fields; null for none
 * @param zone whose clock the fields mean
 * @param onActivation whether to compare when the candidate becomes active
 * @param enabled whether anything happens by itself
 * @param webhook where changes of the verdict go; null for nowhere
 * @param verdict what the last finished firing found; null before, and after a change of what is compared
 * @param firing which firing that was; null without one
 * @param since since when the verdict is the same; null without one
 * @param author name of the user who made it
 * @param created when
 * @param updated when it was last changed by a user
 */
public record Schedule(
        UUID id,
        String name,
        String suite,
        String candidate,
        String baseline,
        Double margin,
        String cron,
        String zone,
        boolean onActivation,
        boolean enabled,
        String webhook,
        Verdict verdict,
        UUID firing,
        Instant since,
        String author,
        Instant created,
        Instant updated) {

    /** When it is due next by the clock, if ever. */
    public Optional<Instant> next(Instant after) {
        return enabled && cron != null ? new CronTimes(cron, ZoneId.of(zone)).next(after) : Optional.empty();
    }
}
