package dev.plumbline.schedule;

import dev.plumbline.database.DatabaseUnavailableException;
import dev.plumbline.recall.compare.ComparisonState;
import dev.plumbline.recall.compare.Comparisons;
import dev.plumbline.recall.compare.NewComparison;
import dev.plumbline.recall.compare.Side;
import dev.plumbline.recall.compare.StoredComparison;
import dev.plumbline.recall.run.Purpose;
import dev.plumbline.recall.verdict.VerdictRule;
import dev.plumbline.runconfig.NotServedException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** Comparisons of stored runs. */
@Component
final class StoredComparer implements Comparer {
    private static final List<Long> SEEDS = List.of(1L);

    private final Comparisons comparisons;

    StoredComparer(Comparisons comparisons) {
        this.comparisons = comparisons;
    }

    @Override
    public void start(Question question, Begun begun) {
        VerdictRule rule = question.margin() == null ? VerdictRule.STANDARD : VerdictRule.withMargin(question.margin());
        NewComparison wanted = new NewComparison(
                question.suite(),
                SEEDS,
                Side.of(question.baseline()),
                Side.of(question.candidate()),
                rule,
                question.owner(),
                Purpose.SCHEDULE);
        try {
            comparisons.start(wanted, begun::note).block();
        } catch (NotServedException | DatabaseUnavailableException e) {
            throw new NotYetException(e);
        }
    }

    @Override
    public Optional<Finding> finding(UUID comparison) {
        StoredComparison found = comparisons.find(comparison).block();
        if (found == null) {
            return Optional.of(new Finding(Verdict.ERROR, "The comparison was deleted before it had ended."));
        }
        if (!found.state().ended()) {
            return Optional.empty();
        }
        return Optional.of(
                found.state() == ComparisonState.FAILED
                        ? new Finding(Verdict.ERROR, found.failure())
                        : new Finding(verdict(found.verdict()), found.sentence()));
    }

    private static Verdict verdict(String words) {
        return Verdict.valueOf(words.toUpperCase(Locale.ROOT).replace(' ', '_'));
    }
}
