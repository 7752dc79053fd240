package dev.plumbline.recall.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How often the whole rule is right, by simulation: first look, noise floor measured on a run of its own, and fresh pairs where
 * it asks for them. The observed rates are printed; docs/measured/verdict.md explains them.
 */
class VerdictPowerTest {
    private static final VerdictRule RULE = VerdictRule.STANDARD;
    private static final int STRATA = 3;

    /** What a pair may do, and how often a whole haystack falls to one side by chance. */
    private record World(int cells, int haystacks, double lost, double gained, double shock) {
        private static final double BASELINE = 0.97;
        private static final double SHOCKED = 0.5;

        StratumPairs draw(String name, String seed, SplittableRandom random) {
            double[] sides = random.doubles(haystacks)
                    .map(u -> u < shock / 2 ? -1 : u < shock ? 1 : 0)
                    .toArray();
            List<CellPair> pairs = new ArrayList<>();
            for (int i = 0; i < cells; i++) {
                double u = random.nextDouble();
                double side = sides[i % haystacks];
                boolean differs = side == 0 ? u < lost + gained : u < SHOCKED;
                boolean loses = side == 0 ? u < lost : side > 0;
                boolean passes = random.nextDouble() < BASELINE;
                pairs.add(Runs.pair(
                        name,
                        seed,
                        i,
                        i % haystacks,
                        state(differs ? loses : passes),
                        state(differs ? !loses : passes)));
            }
            return new StratumPairs(name, pairs);
        }

        private static CellState state(boolean passed) {
            return passed ? CellState.PASSED : CellState.FAILED;
        }
    }

    /** How often each part of the rule saw a loss, and how often the verdict was REGRESSION or SAFE. */
    private static final class Tally {
        private final int trials;
        private int mcNemar;
        private int bothTests;
        private int regressions;
        private int safe;

        Tally(int trials) {
            this.trials = trials;
        }

        double rate(int count) {
            return (double) count / trials;
        }

        String text() {
            return String.format(
                    Locale.ROOT,
                    "McNemar, adjusted %.3f; and sign-flip and noise %.3f; and fresh cells = REGRESSION %.3f; SAFE %.3f",
                    rate(mcNemar),
                    rate(bothTests),
                    rate(regressions),
                    rate(safe));
        }
    }

    @ParameterizedTest
    @CsvSource({"16, 0.00", "16, 0.10", "16, 0.20", "8, 0.00", "8, 0.10", "8, 0.20"})
    void twoNoisyRunsOfOneConfigurationAreAtMostInOneOfTwentyCasesARegression(int haystacks, double shock) {
        World equal = new World(128, haystacks, 0.03, 0.03, shock);

        Tally tally = simulate(1000, repeat(STRATA, equal), equal);

        print(haystacks + " haystacks, of which " + shock + " shocked, equal", tally.text());
        assertThat(tally.rate(tally.regressions)).isLessThanOrEqualTo(0.05);
    }

    @Test
    void mcNemarAloneWouldTakeShocksOfWholeHaystacksForRegressions() {
        World equal = new World(128, 16, 0.03, 0.03, 0.2);

        Tally tally = simulate(300, repeat(STRATA, equal), equal);

        assertThat(tally.rate(tally.mcNemar)).isGreaterThan(0.10);
    }

    @ParameterizedTest
    @CsvSource({"3, 0.10, 0.00, 0.95", "3, 0.11, 0.01, 0.95", "1, 0.10, 0.00, 0.85", "1, 0.11, 0.01, 0.70"})
    void aTrueLossOfTenPointsIsFoundAtAHundredCells(int strata, double lost, double gained, double leastPower) {
        List<World> worlds = new ArrayList<>(repeat(strata, new World(100, 16, lost, gained, 0)));
        worlds.addAll(repeat(STRATA - strata, new World(100, 16, 0, 0, 0)));

        Tally tally = simulate(1000, worlds, new World(100, 16, gained, gained, 0));

        print(strata + " of 3 strata lose " + lost + " and gain " + gained, tally.text());
        assertThat(tally.rate(tally.regressions)).isGreaterThanOrEqualTo(leastPower);
        assertThat(tally.rate(tally.safe)).isLessThanOrEqualTo(0.001);
    }

    @Test
    void aTrueLossOfTenPointsWithGainsBesideIsFoundAtAHundredCellsOfASuiteOfOneStratum() {
        World loss = new World(100, 16, 0.11, 0.01, 0);

        Tally tally = simulate(1000, List.of(loss), new World(100, 16, 0.01, 0.01, 0));

        print("the one stratum loses 0.11 and gains 0.01", tally.text());
        assertThat(tally.rate(tally.regressions)).isGreaterThanOrEqualTo(0.85);
    }

    @Test
    void aTrueLossOfTheMarginIsHardlyEverCalledSafe() {
        World loss = new World(128, 16, 0.05, 0, 0);

        Tally tally = simulate(1000, List.of(loss), new World(128, 16, 0, 0, 0));

        print("one stratum loses exactly the margin", tally.text());
        assertThat(tally.rate(tally.safe)).isLessThanOrEqualTo(0.05);
    }

    @Test
    void anEngineWithoutNoiseIsSafeAgainstItselfEveryTime() {
        World same = new World(128, 16, 0, 0, 0);

        Tally tally = simulate(50, repeat(STRATA, same), same);

        assertThat(tally.safe).isEqualTo(50);
    }

    private static void print(String what, String rates) {
        System.out.println("verdict power, " + what + ": " + rates);
    }

    private static List<World> repeat(int times, World world) {
        return Collections.nCopies(times, world);
    }

    private static Tally simulate(int trials, List<World> worlds, World self) {
        SplittableRandom random = new SplittableRandom(20_260_801);
        Tally tally = new Tally(trials);
        for (int trial = 0; trial < trials; trial++) {
            List<StratumPairs> first = new ArrayList<>();
            List<StratumPairs> twice = new ArrayList<>();
            Map<String, World> byName = new LinkedHashMap<>();
            for (World world : worlds) {
                String name = byName.size() + " tokens";
                byName.put(name, world);
                first.add(world.draw(name, "1", random));
                twice.add(self.draw(name, "1", random));
            }
            Outcome outcome = RULE.judge(new Pairing(first), new Pairing(twice).noise());
            tally.mcNemar += outcome.strata().stream().anyMatch(finding -> finding.significant(RULE)) ? 1 : 0;
            tally.safe += outcome instanceof Safe ? 1 : 0;
            if (outcome instanceof NeedsConfirmation open) {
                tally.bothTests++;
                List<StratumPairs> fresh = new ArrayList<>();
                open.cellsToAsk().forEach((name, cells) -> {
                    World world = byName.get(name);
                    fresh.add(new World(cells, world.haystacks, world.lost, world.gained, world.shock)
                            .draw(name, "2", random));
                });
                tally.regressions += open.resolve(new Pairing(fresh)) instanceof Regression ? 1 : 0;
            }
        }
        return tally;
    }
}
