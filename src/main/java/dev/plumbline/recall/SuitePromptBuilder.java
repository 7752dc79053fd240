package dev.plumbline.recall;

import dev.plumbline.model.ChatMessage;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.suite.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Builds the prompts of suites, exact to the token. Where several questions are asked about one text, their prompts are equal up
 * to the text's last lines, which make up for the different lengths of the questions. Thread-safe.
 */
public final class SuitePromptBuilder implements SuitePrompts {
    private final Haystack haystack;
    private final PromptCodec codec;
    private final FillerSource filler;
    private final FillerSource configuration;
    /** The text built last: the questions about it come in a row. */
    private final AtomicReference<SharedText> last = new AtomicReference<>();

    private SuitePromptBuilder(Haystack haystack, PromptCodec codec, FillerSource filler, FillerSource configuration) {
        this.haystack = haystack;
        this.codec = codec;
        this.filler = filler;
        this.configuration = configuration;
    }

    /** Plants into a user's own text. */
    public static SuitePromptBuilder in(FillerSource filler, PromptCodec codec) {
        return new SuitePromptBuilder(Haystack.load(), codec, filler, filler);
    }

    /** Plants into the built-in texts that no embedded model ever met. */
    public static SuitePromptBuilder inHeldOutTexts(PromptCodec codec) {
        Haystack haystack = Haystack.load();
        return new SuitePromptBuilder(
                haystack, codec, FillerSource.heldOut(haystack), FillerSource.heldOutConfiguration(haystack));
    }

    /**
     * The prompt of a cell.
     *
     * @throws PromptLengthException if the length is too small for needles and question, or cannot be hit to the token
     */
    @Override
    public SuitePrompt build(SuiteCell cell) {
        if (cell.needles().size() > 1) {
            return buildShared(cell);
        }
        Plan plan = new SuitePlanner(haystack, codec, cell).plans().get(0);
        PromptFitter.Fitted fitted = fitter(cell, cell.length(), plan).fit(stream(cell));
        return new SuitePrompt(cell, fitted.turns(), fitted.tokens(), plan.expected(), plan.others());
    }

    /** Fits the end of the prompt alone, since the rest is known; the whole prompt if its tokens do not add up. */
    private SuitePrompt buildShared(SuiteCell cell) {
        SharedText shared = shared(cell);
        Plan plan = shared.plans().get(cell.asked());
        String head = plan.before() + shared.text();
        Plan end = plan.behind(shared.lastLine());
        List<ChatMessage> turns = new ArrayList<>(fitter(cell, cell.length() - shared.headTokens(), end)
                .fit(tail(cell, shared))
                .turns());
        ChatMessage first = turns.get(0);
        turns.set(
                0,
                new ChatMessage(
                        first.role(),
                        head + first.content().substring(end.before().length())));
        int[] tokens = codec.encode(turns);
        if (tokens.length == cell.length()) {
            return new SuitePrompt(cell, turns, tokens, plan.expected(), plan.others());
        }
        PromptFitter.Fitted fitted =
                fitter(cell, cell.length(), plan.behind(shared.text())).fit(tail(cell, shared));
        return new SuitePrompt(cell, fitted.turns(), fitted.tokens(), plan.expected(), plan.others());
    }

    private PromptFitter fitter(SuiteCell cell, int length, Plan plan) {
        return new PromptFitter(codec, length, cell.task().label(), cell.id(), plan);
    }

    private SharedText shared(SuiteCell cell) {
        SharedText known = last.get();
        if (known != null && known.belongsTo(cell)) {
            return known;
        }
        List<Plan> plans = new SuitePlanner(haystack, codec, cell).plans();
        SharedText built = new SharedTextBuilder(codec, cell.length(), plans).build(cell, stream(cell));
        last.set(built);
        return built;
    }

    /** The filler behind a shared text. */
    private FillerStream tail(SuiteCell cell, SharedText shared) {
        FillerStream stream = stream(cell);
        for (int i = 0; i < shared.pieces(); i++) {
            stream.next();
        }
        return stream;
    }

    /** Filler from the same place on for every cell of a haystack. */
    private FillerStream stream(SuiteCell cell) {
        FillerSource source = cell.task() == Task.CONFIG_FILE ? configuration : filler;
        return new FillerStream(source, codec::countTokens, NamedRandom.of("haystack " + cell.haystackId()));
    }
}
