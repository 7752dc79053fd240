package dev.plumbline.recall.run;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Which models no server of the database has hosted for long, as this server has seen it. What counts is time in which a
 * server looked: when all were off, nothing has been waited for in vain.
 */
@Component
public final class UnservedModels {
    /** Whoever has not looked for so long does not know what was there meanwhile. */
    private static final Duration GAP = Duration.ofMinutes(1);

    private final Duration patience;
    private final LongSupplier nanos;
    /** When servers that host a model were seen last. */
    private final Map<String, Long> served = new HashMap<>();

    private long since;
    private long looked;
    private boolean loading = true;

    /** {@code patience} is how long something waits for a server with its model. */
    @Autowired
    UnservedModels(@Value("${plumbline.recall.unserved:6h}") Duration patience) {
        this(patience, System::nanoTime);
    }

    UnservedModels(Duration patience, LongSupplier nanos) {
        this.patience = patience;
        this.nanos = nanos;
        this.looked = nanos.getAsLong();
        this.since = looked;
    }

    /**
     * Notes what is hosted now; called every few seconds.
     *
     * @param models their hashes
     * @param more whether a server still loads one that is not known yet
     */
    synchronized void seen(Collection<String> models, boolean more) {
        long now = nanos.getAsLong();
        if (now - looked > GAP.toNanos()) {
            served.clear();
            since = now;
        }
        looked = now;
        loading = more;
        models.forEach(model -> served.put(model, now));
    }

    /** Those of some models that no server has hosted for too long; none while a server loads one. */
    public synchronized Set<String> of(Collection<String> models) {
        long now = nanos.getAsLong();
        Set<String> unserved = new HashSet<>();
        if (!loading && now - looked <= GAP.toNanos()) {
            models.stream()
                    .filter(model -> now - served.getOrDefault(model, since) > patience.toNanos())
                    .forEach(unserved::add);
        }
        return unserved;
    }

    /** How long something waits for a server with its model. */
    Duration patience() {
        return patience;
    }

    /** What is the matter with such a model, as the end of a sentence. */
    public String words(String model) {
        boolean hours = patience.equals(Duration.ofHours(patience.toHours()));
        String time = hours ? patience.toHours() + " h" : patience.toSeconds() + " s";
        return "no server of this database has hosted the model " + model + " for " + time;
    }
}
