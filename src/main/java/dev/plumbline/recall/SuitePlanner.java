package dev.plumbline.recall;

import dev.plumbline.recall.Plan.PlantedNeedle;
import dev.plumbline.recall.suite.Placement;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.suite.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Draws the needles of one text of a suite, and every question about it. */
final class SuitePlanner {
    /** A needle in the window lies within so many tokens at the end of the text, its line break included. */
    static final int WINDOW_TOKENS = 30;

    private static final int REPEATS = 8;
    private static final int QUERIES = 3;
    private static final int HOPS = 4;
    private static final int MOST_LOOK_ALIKES = 7;
    private static final int TOKENS_PER_LOOK_ALIKE = 128;
    private static final int DRAWS = 200;

    private final Haystack haystack;
    private final PromptCodec codec;
    private final SuiteCell cell;
    private final Random random;
    private final FactSource facts;
    private final List<PlantedNeedle> needles = new ArrayList<>();

    /** A key, its value, and the line that says so. */
    private record Fact(Subject subject, String value, String line) {}

    SuitePlanner(Haystack haystack, PromptCodec codec, SuiteCell cell) {
        this.haystack = haystack;
        this.codec = codec;
        this.cell = cell;
        this.random = NamedRandom.of(cell.textId());
        this.facts = new FactSource(haystack, codec::countTokens, random);
    }

    /** One plan for each needle that is asked about; all plant the same needles. */
    List<Plan> plans() {
        return switch (cell.task()) {
            case SINGLE -> List.of(single());
            case MULTIKEY, CONFIG_FILE -> lookAlikes();
            case MULTIVALUE -> List.of(known(Family.SEVERAL_VALUES));
            case MULTI_TURN -> List.of(known(Family.EARLIER_TURN));
            case MULTIQUERY -> List.of(several());
            case VARIABLE_TRACKING -> List.of(chain());
        };
    }

    private Plan single() {
        return switch (cell.placement().kind()) {
            case ONCE -> known(Family.SINGLE);
            case REPEATED -> known(Family.REPEATED);
            case IN_WINDOW -> {
                Fact fact = shortFact();
                yield plan("\n" + fact.line(), facts.question(fact.subject()), List.of(fact.value()), List.of());
            }
        };
    }

    /** What {@link CellPlanner} knows already. */
    private Plan known(Family family) {
        Placement placement = cell.placement();
        Depth depth = new Depth(placement.label(), placement.depth());
        return new CellPlanner(haystack, codec, new Cell(family, cell.length(), depth, cell.seed()), random).plan();
    }

    private List<Plan> lookAlikes() {
        boolean inWindow = cell.placement().kind() == Placement.Kind.IN_WINDOW;
        Fact first = inWindow ? shortFact() : fact(subject());
        List<Fact> asked = new ArrayList<>(List.of(first));
        for (int i = 1; i < cell.needles().size(); i++) {
            asked.add(fact(facts.lookAlike(first.subject())));
        }
        List<Fact> all = new ArrayList<>(asked);
        if (asked.size() == 1) {
            int count = Math.max(1, Math.min(MOST_LOOK_ALIKES, cell.length() / TOKENS_PER_LOOK_ALIKE));
            for (int i = 0; i < count; i++) {
                Fact other = fact(facts.lookAlike(first.subject()));
                all.add(other);
                needles.add(new PlantedNeedle(random.nextDouble(), other.line()));
            }
        }
        if (!inWindow) {
            IntStream.range(0, asked.size())
                    .forEach(i -> plant(asked.get(i), cell.needles().get(i)));
        }
        List<Plan> plans = new ArrayList<>();
        for (Fact fact : asked) {
            List<String> others =
                    all.stream().filter(other -> other != fact).map(Fact::value).toList();
            plans.add(plan(
                    inWindow ? "\n" + fact.line() : "", facts.question(fact.subject()), List.of(fact.value()), others));
        }
        return plans;
    }

    private void plant(Fact fact, Placement placement) {
        needles.add(new PlantedNeedle(placement.depth(), fact.line()));
        for (int copy = 1; placement.kind() == Placement.Kind.REPEATED && copy < REPEATS; copy++) {
            needles.add(new PlantedNeedle(random.nextDouble(), fact.line()));
        }
    }

    /** Several questions at once; the first one's needle stands at the depth. */
    private Plan several() {
        List<Fact> asked = new ArrayList<>();
        for (int i = 0; i < QUERIES; i++) {
            Fact fact = fact(facts.subject());
            asked.add(fact);
            needles.add(new PlantedNeedle(i == 0 ? cell.placement().depth() : random.nextDouble(), fact.line()));
        }
        String questions =
                asked.stream().map(fact -> facts.question(fact.subject())).collect(Collectors.joining(" "));
        return plan("", questions, asked.stream().map(Fact::value).toList(), List.of());
    }

    /** A value at the depth, and keys that have it only by way of each other. */
    private Plan chain() {
        Fact fact = fact(facts.setting());
        needles.add(new PlantedNeedle(cell.placement().depth(), fact.line()));
        Subject last = fact.subject();
        for (int hop = 0; hop < HOPS; hop++) {
            Subject next = facts.setting();
            needles.add(new PlantedNeedle(
                    random.nextDouble(), "The value of " + next.key() + " is that of " + last.key() + "."));
            last = next;
        }
        return plan("", facts.question(last), List.of(fact.value()), List.of());
    }

    private Plan plan(String lastLine, String question, List<String> expected, List<String> others) {
        String[] around = haystack.prompts().textFirst().split("\\{text}", -1);
        return new Plan(
                List.copyOf(needles),
                around[0],
                lastLine + around[1].replace("{question}", question),
                List.of(),
                expected,
                others);
    }

    private Subject subject() {
        return cell.task() == Task.CONFIG_FILE ? facts.setting() : facts.subject();
    }

    private Fact fact(Subject subject) {
        String wording = cell.task() == Task.CONFIG_FILE ? facts.configWording(subject) : facts.wording(subject);
        String value = facts.secret();
        return new Fact(subject, value, facts.needle(subject, wording, value));
    }

    /** A fact that fits the end of the text; the shortest drawn if none does. */
    private Fact shortFact() {
        Fact shortest = null;
        for (int draw = 0; draw < DRAWS; draw++) {
            Fact fact = fact(subject());
            if (shortest == null || tokens(fact) < tokens(shortest)) {
                shortest = fact;
            }
            if (tokens(shortest) <= WINDOW_TOKENS) {
                break;
            }
        }
        return shortest;
    }

    private int tokens(Fact fact) {
        return codec.countTokens(fact.line() + "\n");
    }
}
