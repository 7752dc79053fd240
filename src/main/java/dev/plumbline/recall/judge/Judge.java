package dev.plumbline.recall.judge;

import dev.plumbline.precision.Flag;
import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.recall.verdict.Comparison;
import dev.plumbline.recall.verdict.NeedsConfirmation;
import dev.plumbline.recall.verdict.NoiseFloor;
import dev.plumbline.recall.verdict.NotComparable;
import dev.plumbline.recall.verdict.Outcome;
import dev.plumbline.recall.verdict.Pairing;
import dev.plumbline.recall.verdict.StratumFinding;
import dev.plumbline.recall.verdict.StratumPairs;
import dev.plumbline.recall.verdict.VerdictRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Applies a rule to finished runs. {@link #judge} does all of it; {@link #first} and {@link #resolve} are its two halves, for
 * callers that cannot wait for fresh cells in between.
 *
 * @param rule the rule
 */
public record Judge(VerdictRule rule) {
    private static final String FINGERPRINT = "fingerprint";
    private static final NoiseFloor UNKNOWN = new NoiseFloor(0, 0);

    /**
     * Judges, and repeats a loss on fresh cells.
     *
     * @param baseline the run held against
     * @param candidate the run in question, of the same cells
     * @param again the baseline's configuration asked the same cells once more, without the prefix cache or in a lane of
     *     its own
     * @param fresh asked at most once, and only about strata that seem to have lost answers
     * @return a judgement whose outcome is a verdict
     * @throws NotComparableException naming what differs between runs that must agree
     * @throws IllegalArgumentException if a run is not finished, or {@code again} is not what it should be
     */
    public Judgement judge(RunRecord baseline, RunRecord candidate, RunRecord again, FreshCells fresh) {
        Judgement first = first(baseline, candidate, again);
        return first.freshPart()
                .map(part -> resolve(first, fresh.ask(part, first.freshSeeds())))
                .orElse(first);
    }

    /**
     * Looks at the pairs.
     *
     * @param again as in {@link #judge}, or null: without it nothing can be called a regression
     */
    public Judgement first(RunRecord baseline, RunRecord candidate, RunRecord again) {
        List<String> notes = new ArrayList<>();
        Pairing pairs = pairs(baseline, candidate, notes);
        Map<String, NoiseFloor> noise = noise(baseline, again, pairs, notes);
        Set<String> required = baseline.suite().requiredStrata();
        Outcome outcome = rule.judge(pairs.only(required), noise);
        Set<String> others = pairs.strata().stream()
                .map(StratumPairs::name)
                .filter(name -> !required.contains(name))
                .collect(Collectors.toSet());
        List<StratumFinding> shown = others.isEmpty()
                ? List.of()
                : rule.judge(pairs.only(others), noise).strata();
        return new Judgement(baseline, candidate, again, null, pairs, outcome, shown, notes);
    }

    /**
     * Decides with fresh cells.
     *
     * @param first a judgement that {@link Judgement#freshPart} asks them for
     */
    public Judgement resolve(Judgement first, FreshRuns fresh) {
        if (!(first.outcome() instanceof NeedsConfirmation open)) {
            throw new IllegalArgumentException("the verdict stands: " + first.title());
        }
        requireSame("candidate", first.candidate(), fresh.candidate());
        requireSame("baseline", first.baseline(), fresh.baseline());
        List<String> notes = new ArrayList<>(first.notes());
        return new Judgement(
                first.baseline(),
                first.candidate(),
                first.again(),
                fresh,
                first.pairs(),
                open.resolve(pairs(fresh.baseline(), fresh.candidate(), new ArrayList<>())),
                first.shown(),
                notes);
    }

    private static Pairing pairs(RunRecord baseline, RunRecord candidate, List<String> notes) {
        requireFinished(baseline);
        requireFinished(candidate);
        Comparison comparison = Comparison.of(baseline.outcomes(), Models.aligned(baseline, candidate, notes));
        if (comparison instanceof NotComparable refusal) {
            throw new NotComparableException(refusal);
        }
        return (Pairing) comparison;
    }

    private static Map<String, NoiseFloor> noise(
            RunRecord baseline, RunRecord again, Pairing pairs, List<String> notes) {
        Map<String, NoiseFloor> noise = new LinkedHashMap<>();
        pairs.strata().forEach(stratum -> noise.put(stratum.name(), UNKNOWN));
        if (again == null) {
            notes.add("The baseline was not asked twice, so that how often it disagrees with itself is not known.");
            return noise;
        }
        if (again.id().equals(baseline.id())) {
            throw new IllegalArgumentException("run " + again.id() + " cannot be its own second run");
        }
        requireSame("baseline", baseline, again);
        if (mayShareACache(baseline, again)) {
            notes.add(
                    "The baseline's second run " + again.id() + " had the prefix cache on in the lane of the first, so"
                            + " that it may repeat what that one computed: noise is not known.");
            return noise;
        }
        if (!again.target().kind().equals(TargetRecord.NATIVE)) {
            notes.add("Whether " + again.target().name()
                    + " answered the baseline's second run from a cache of its own is" + " not known.");
        }
        noise.putAll(pairs(baseline, again, new ArrayList<>()).noise());
        return noise;
    }

    /** A lane's prefix cache is its own, and the fingerprint names the lane. */
    private static boolean mayShareACache(RunRecord run, RunRecord again) {
        return "on".equals(again.flags().get(Flag.PREFIX_CACHE.key()))
                && Objects.equals(
                        run.target().facts().get(FINGERPRINT),
                        again.target().facts().get(FINGERPRINT));
    }

    private static void requireFinished(RunRecord run) {
        if (run.finishedAt() == null) {
            throw new IllegalArgumentException("run " + run.id() + " is not finished");
        }
    }

    /** Refuses a run of another configuration; the prefix cache changes no result. */
    private static void requireSame(String side, RunRecord run, RunRecord other) {
        Map<String, String> flags = new LinkedHashMap<>(run.flags());
        Map<String, String> otherFlags = new LinkedHashMap<>(other.flags());
        flags.remove(Flag.PREFIX_CACHE.key());
        otherFlags.remove(Flag.PREFIX_CACHE.key());
        if (!flags.equals(otherFlags)) {
            throw new IllegalArgumentException("run " + other.id() + " has other flags than the " + side + " "
                    + run.id() + ": " + otherFlags + " instead of " + flags);
        }
    }
}
