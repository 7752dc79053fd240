package dev.plumbline.recall;

import dev.plumbline.model.ChatMessage;
import dev.plumbline.model.ChatMessage.Role;
import dev.plumbline.recall.Plan.PlantedNeedle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Draws the needles, the questions and the expected answer of one cell. */
final class CellPlanner {
    private static final int REPEATS = 8;
    private static final int FEWEST_LOOK_ALIKES = 4;
    private static final int MOST_LOOK_ALIKES = 32;
    /** Look-alikes take at most about a quarter of the prompt, at some 32 tokens each. */
    private static final int TOKENS_PER_LOOK_ALIKE = 128;

    private final Haystack haystack;
    private final Cell cell;
    private final Random random;
    private final FactSource facts;
    private final List<PlantedNeedle> needles = new ArrayList<>();
    private final List<ChatMessage> later = new ArrayList<>();
    private final List<String> expected = new ArrayList<>();
    private final List<String> others = new ArrayList<>();

    CellPlanner(Haystack haystack, PromptCodec codec, Cell cell, Random random) {
        this.haystack = haystack;
        this.cell = cell;
        this.random = random;
        this.facts = new FactSource(haystack, codec::countTokens, random);
    }

    Plan plan() {
        Subject asked = facts.subject();
        String question =
                cell.family() == Family.SEVERAL_VALUES ? facts.questionAfterAll(asked) : facts.question(asked);
        switch (cell.family()) {
            case SINGLE -> plantAsked(asked, 1);
            case REPEATED -> plantAsked(asked, REPEATS);
            case MANY_KEYS -> {
                plantAsked(asked, 1);
                plantLookAlikes(asked);
            }
            case ABSENT -> plantLookAlikes(asked);
            case SEVERAL_VALUES -> plantSeveral(asked);
            case EARLIER_TURN -> {
                plantAsked(asked, 1);
                talk();
                later.add(new ChatMessage(Role.USER, question));
            }
        }
        String first =
                cell.family() == Family.EARLIER_TURN ? pick(haystack.prompts().acknowledge()) : question;
        String[] around = haystack.prompts().textFirst().split("\\{text}", -1);
        return new Plan(
                List.copyOf(needles),
                around[0],
                around[1].replace("{question}", first),
                List.copyOf(later),
                List.copyOf(expected),
                List.copyOf(others));
    }

    /** Plants one fact at the cell's depth, and its further copies anywhere. */
    private void plantAsked(Subject asked, int copies) {
        String value = facts.secret();
        String line = facts.needle(asked, facts.wording(asked), value);
        needles.add(new PlantedNeedle(cell.depth().fraction(), line));
        for (int copy = 1; copy < copies; copy++) {
            needles.add(new PlantedNeedle(random.nextDouble(), line));
        }
        expected.add(value);
    }

    /** Plants facts about keys that differ from the one asked in a single word, each in a wording of its own. */
    private void plantLookAlikes(Subject asked) {
        int most = Math.max(FEWEST_LOOK_ALIKES, Math.min(MOST_LOOK_ALIKES, cell.length() / TOKENS_PER_LOOK_ALIKE));
        int count = FEWEST_LOOK_ALIKES + random.nextInt(most - FEWEST_LOOK_ALIKES + 1);
        for (int i = 0; i < count; i++) {
            plantOther(facts.lookAlike(asked), others.isEmpty() && expected.isEmpty());
        }
    }

    private String plantOther(Subject subject, boolean atDepth) {
        String value = facts.secret();
        double depth = atDepth ? cell.depth().fraction() : random.nextDouble();
        needles.add(new PlantedNeedle(depth, facts.needle(subject, facts.wording(subject), value)));
        others.add(value);
        return value;
    }

    /** Plants two or three values of one key; the answer lists them in the order of the text. */
    private void plantSeveral(Subject asked) {
        int count = 2 + random.nextInt(2);
        String wording = facts.wording(asked);
        List<Double> depths = new ArrayList<>(List.of(cell.depth().fraction()));
        for (int i = 1; i < count; i++) {
            depths.add(random.nextDouble());
        }
        depths.sort(Comparator.naturalOrder());
        for (double depth : depths) {
            String value = facts.secret();
            needles.add(new PlantedNeedle(depth, facts.needle(asked, wording, value)));
            expected.add(value);
        }
    }

    /** One to three turns between the text and the question: remarks, and questions about other facts. */
    private void talk() {
        String noted = haystack.answers().acknowledge();
        later.add(new ChatMessage(Role.ASSISTANT, noted));
        int turns = 1 + random.nextInt(3);
        for (int turn = 0; turn < turns; turn++) {
            if (random.nextBoolean()) {
                later.add(new ChatMessage(Role.USER, pick(haystack.prompts().remark())));
                later.add(new ChatMessage(Role.ASSISTANT, noted));
            } else {
                Subject other = facts.subject();
                String value = plantOther(other, false);
                later.add(new ChatMessage(Role.USER, facts.question(other)));
                later.add(new ChatMessage(Role.ASSISTANT, value));
            }
        }
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
