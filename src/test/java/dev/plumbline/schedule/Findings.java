package dev.plumbline.schedule;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands for comparisons, which take minutes: finds what a test says, when it says so. */
final class Findings implements Comparer {
    private final List<Question> asked = new CopyOnWriteArrayList<>();
    private final Map<UUID, Question> open = new ConcurrentHashMap<>();
    private volatile Finding finding;
    private final AtomicInteger lost = new AtomicInteger();
    private volatile RuntimeException refusal;
    private volatile boolean away;

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
    public UUID start(Question question) {
        if (refusal != null) {
            throw refusal;
        }
        UUID id = UUID.randomUUID();
        asked.add(question);
        open.put(id, question);
        return id;
    }

    @Override
    public Optional<Finding> finding(UUID comparison) {
        if (away) {
            lost.incrementAndGet();
            throw new NotYetException(new IllegalStateException("away"));
        }
        return open.containsKey(comparison) ? Optional.ofNullable(finding) : Optional.empty();
    }
}
