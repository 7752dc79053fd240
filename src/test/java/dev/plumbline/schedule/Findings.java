package dev.plumbline.schedule;

import dev.plumbline.database.Database;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Stands for comparisons, which take minutes: finds what a test says, when it says so. */
final class Findings implements Comparer {
    private final List<Question> asked = new CopyOnWriteArrayList<>();
    private final Set<UUID> open = ConcurrentHashMap.newKeySet();
    private volatile Finding finding;
    private final AtomicInteger lost = new AtomicInteger();
    private volatile RuntimeException refusal;
    private volatile boolean away;
    private volatile Runnable meanwhile;
    private final Supplier<Database> database;

    /** On a database that is there once something begins. */
    Findings(Supplier<Database> database) {
        this.database = database;
    }

    /** A comparison that was begun elsewhere. */
    UUID elsewhere() {
        UUID id = UUID.randomUUID();
        open.add(id);
        return id;
    }

    /** Happens while a comparison begins; null for nothing. */
    void meanwhile(Runnable action) {
        meanwhile = action;
    }

    /** Comparisons that begin are refused from now on; null to take them again. */
    void refuse(RuntimeException reason) {
        refusal = reason;
    }

    /** From now on nobody can tell whether a comparison has ended, as without a database; or can again. */
    void away(boolean now) {
        away = now;
    }

    /** How often somebody looked in vain. */
    int lost() {
        return lost.get();
    }

    /** Comparisons end with this from now on; null to let them go on. */
    void find(Verdict verdict) {
        finding = verdict == null ? null : new Finding(verdict, "It is " + verdict.word() + ".");
    }

    /** What was begun, the first first. */
    List<Question> asked() {
        return asked;
    }

    @Override
    public void start(Question question, Begun begun) {
        if (refusal != null) {
            throw refusal;
        }
        UUID id = UUID.randomUUID();
        if (meanwhile != null) {
            meanwhile.run();
        }
        open.add(id);
        database.get().now(client -> {
            begun.note(client, id);
            return true;
        });
        asked.add(question);
    }

    @Override
    public Optional<Finding> finding(UUID comparison) {
        if (away) {
            lost.incrementAndGet();
            throw new NotYetException(new IllegalStateException("away"));
        }
        return open.contains(comparison) ? Optional.ofNullable(finding) : Optional.empty();
    }
}
