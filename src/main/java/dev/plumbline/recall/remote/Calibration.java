package dev.plumbline.recall.remote;

import dev.plumbline.model.ChatMessage;
import dev.plumbline.recall.SuitePrompt;
import dev.plumbline.recall.SuitePromptBuilder;
import dev.plumbline.recall.suite.Placement;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.suite.Task;
import dev.plumbline.target.NativeTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds out how a server counts tokens: it is asked prompts of three lengths, and one of several messages, as suites ask
 * them.
 *
 * @param measure how its prompts are measured from now on
 * @param note how well that agrees with what it counted, in words
 */
record Calibration(PromptMeasure measure, String note) {
    /** In tokens of a quarter character; the longest still fits a context of 8,192 tokens of a byte each. */
    private static final List<Integer> LENGTHS = List.of(120, 400, 1200, 1200, 1200);

    private static final int SEVERAL_MESSAGES = 600;
    private static final double PERCENT = 100;

    /** A prompt and what the server counted for it. */
    record Probe(List<ChatMessage> turns, int counted) {
        double characters() {
            return turns.stream()
                    .mapToInt(turn ->
                            turn.content().codePointCount(0, turn.content().length()))
                    .sum();
        }
    }

    /**
     * Asks the server. Fails with {@link ServerFailure}.
     *
     * @param hosted the model hosted here; null while none is loaded
     */
    static Mono<Calibration> of(ChatCall call, NativeTarget hosted) {
        return Flux.fromIterable(prompts())
                .concatMap(turns -> call.ask(turns, 1).map(reply -> probe(turns, reply)))
                .collectList()
                .map(probes -> of(probes, hosted));
    }

    private static Probe probe(List<ChatMessage> turns, ChatReply reply) {
        if (reply.promptTokens() < 1) {
            throw ServerFailure.lasting(
                    "it does not say how many tokens a prompt has, although its stream was asked to include the usage");
        }
        return new Probe(turns, reply.promptTokens());
    }

    static List<List<ChatMessage>> prompts() {
        SuitePromptBuilder builder = SuitePromptBuilder.inHeldOutTexts(PromptMeasure.rough());
        List<SuiteCell> cells = new ArrayList<>();
        // Each from another text, since texts differ in how many characters a token has.
        LENGTHS.forEach(length -> cells.add(cell(Task.SINGLE, length, cells.size())));
        cells.add(cell(Task.MULTI_TURN, SEVERAL_MESSAGES, cells.size()));
        return cells.stream().map(builder::build).map(SuitePrompt::turns).toList();
    }

    private static SuiteCell cell(Task task, int length, int haystack) {
        Placement middle = new Placement("middle", 0.5, Placement.Kind.ONCE);
        return new SuiteCell("calibration", task, length, haystack, 0, 0, 0, List.of(middle), 0);
    }

    private static Calibration of(List<Probe> probes, NativeTarget hosted) {
        if (hosted != null) {
            PromptMeasure own = PromptMeasure.of(hosted);
            if (worst(probes, own) == 0) {
                return new Calibration(
                        own,
                        "agrees with the tokenizer of " + hosted.name() + " on " + probes.size()
                                + " prompts, token for token");
            }
        }
        PromptMeasure fitted = PromptMeasure.of(fit(probes));
        return new Calibration(
                fitted,
                String.format(
                        Locale.ROOT,
                        "deviates by at most %.1f %% on the %d prompts it was made of",
                        worst(probes, fitted) * PERCENT,
                        probes.size()));
    }

    private static double worst(List<Probe> probes, PromptMeasure measure) {
        return probes.stream()
                .mapToDouble(probe -> Math.abs(measure.codec().encode(probe.turns()).length - probe.counted())
                        / (double) probe.counted())
                .max()
                .orElseThrow();
    }

    /** Least squares over the prompts of one message; what is left of the last one is shared by its further messages. */
    static CalibratedCodec fit(List<Probe> probes) {
        List<Probe> single =
                probes.stream().filter(probe -> probe.turns().size() == 1).toList();
        double meanCharacters =
                single.stream().mapToDouble(Probe::characters).average().orElseThrow();
        double meanTokens =
                single.stream().mapToDouble(Probe::counted).average().orElseThrow();
        double covariance = single.stream()
                .mapToDouble(probe -> (probe.characters() - meanCharacters) * (probe.counted() - meanTokens))
                .sum();
        double variance = single.stream()
                .mapToDouble(probe -> Math.pow(probe.characters() - meanCharacters, 2))
                .sum();
        double perCharacter = covariance / variance;
        if (!(perCharacter > 0)) {
            throw ServerFailure.lasting(
                    "it counts " + single.stream().map(Probe::counted).toList()
                            + " tokens for prompts of "
                            + single.stream().map(Probe::characters).toList()
                            + " characters, by which no length can be measured");
        }
        double ofOne = meanTokens - perCharacter * meanCharacters;
        double perMessage = probes.stream()
                .filter(probe -> probe.turns().size() > 1)
                .mapToDouble(probe -> (probe.counted() - ofOne - perCharacter * probe.characters())
                        / (probe.turns().size() - 1))
                .average()
                .orElse(0);
        return CalibratedCodec.of(perCharacter, perMessage, ofOne - perMessage);
    }
}
