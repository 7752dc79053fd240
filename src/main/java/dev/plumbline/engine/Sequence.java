package dev.plumbline.engine;

import dev.plumbline.trace.QueryTrace;
import dev.plumbline.trace.Stage;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** One generation as the step loop sees it. Only {@link #cancel} is called from other threads. */
final class Sequence implements Generation {
    private final LaneKey lane;
    private final GenerationRequest request;
    private final AdmittedListener listener;
    private final Runnable wakeLoop;
    private final int[] prompt;
    private final int limit;
    private final Adjustments adjustments;
    private final SequenceTrace trace;
    private final BitSet seen = new BitSet();
    private final int[] last = new int[1];
    private volatile boolean cancelled;
    private LaneHandle handle;
    private SequenceCache cache;
    private int length;
    private int generated;
    private int[] answer = new int[16];
    private boolean prefilled;

    /**
     * @param limit most tokens to generate, already cut to the context
     * @param trace what is asked about its selections, or null
     */
    Sequence(
            LaneKey lane,
            GenerationRequest request,
            AdmittedListener listener,
            int limit,
            SequenceTrace trace,
            Runnable wakeLoop) {
        this.lane = lane;
        this.request = request;
        this.trace = trace;
        this.listener = listener;
        this.limit = limit;
        this.wakeLoop = wakeLoop;
        this.prompt = request.prompt();
        this.adjustments = new Adjustments(request.sampling());
    }

    @Override
    public LaneKey lane() {
        return lane;
    }

    /** Whether it stands behind all others. */
    boolean background() {
        return request.background();
    }

    /** Gives it its lane, for good. */
    void placed(LaneHandle own) {
        handle = own;
    }

    LaneHandle handle() {
        return handle;
    }

    @Override
    public void cancel() {
        cancelled = true;
        wakeLoop.run();
    }

    boolean cancelled() {
        return cancelled || listener.broken();
    }

    /** Tokens of cache this sequence can come to need: the last sampled token is never fed back. */
    int tokensNeeded() {
        return prompt.length + limit - 1;
    }

    void admitted(SequenceCache room) {
        cache = room;
        length = room.tokens();
        listener.onAdmitted(length);
    }

    /** The prompt up to the first token that must be computed, that one included. */
    int[] reusablePrompt() {
        return Arrays.copyOf(prompt, request.reusablePromptTokens() + 1);
    }

    /** The tokens whose state its caches hold. */
    int[] computed() {
        int[] tokens = Arrays.copyOf(prompt, length);
        for (int i = prompt.length; i < length; i++) {
            tokens[i] = answer[i - prompt.length];
        }
        return tokens;
    }

    /** Whether the step that has just run ended a chunk whose end is worth keeping: a whole one, or the prompt's last. */
    boolean tookChunkEnd(int chunk) {
        boolean ended = prefilled && (length == prompt.length || length % chunk == 0);
        prefilled = false;
        return ended;
    }

    /** Prompt tokens up to the next multiple of {@code chunk}: where chunks end, other prompts can go on. */
    int remainingChunk(int chunk) {
        return Math.min(remainingPrompt(), chunk - length % chunk);
    }

    SequenceCache cache() {
        return cache;
    }

    /** Prompt tokens not yet prefilled. */
    int remainingPrompt() {
        return Math.max(0, prompt.length - length);
    }

    boolean decoding() {
        return length >= prompt.length;
    }

    /**
     * Adds this sequence's next run to a step: a chunk of the prompt, or the last sampled token.
     *
     * @return the row whose logits are to be sampled, or −1 while the prompt is unfinished
     */
    int addTo(BatchBuilder batch, int promptTokens) {
        if (trace != null) {
            Stage stage = decoding() ? Stage.DECODE : Stage.PREFILL;
            trace.next(cache, stage, batch.rows(), decoding() ? 1 : promptTokens, length);
        }
        int row;
        prefilled = !decoding();
        if (decoding()) {
            row = batch.add(cache, Stage.DECODE, last, 0, 1, length);
            length++;
            return row;
        }
        row = batch.add(cache, Stage.PREFILL, prompt, length, promptTokens, length);
        length += promptTokens;
        return decoding() ? row : -1;
    }

    void addTo(SamplingBuffers sampling) {
        sampling.add(request.sampling(), adjustments, request.choice(), length);
    }

    /**
     * Takes the sampled token and tells the listener.
     *
     * @param logProbabilities null when they were not asked for
     * @return why the generation ends, or null when it goes on
     */
    FinishReason accept(int token, TokenLogProbabilities logProbabilities) {
        if (request.stopTokens().contains(token)) {
            return FinishReason.STOP;
        }
        last[0] = token;
        if (generated == answer.length) {
            answer = Arrays.copyOf(answer, 2 * generated);
        }
        answer[generated++] = token;
        adjustments.generated(token, !seen.get(token));
        seen.set(token);
        if (logProbabilities == null) {
            listener.onToken(token);
        } else {
            listener.onToken(token, logProbabilities);
        }
        return generated >= limit ? FinishReason.LENGTH : null;
    }

    /** What is asked about its selections, or null. */
    SequenceTrace trace() {
        return trace;
    }

    /** Tells the listener what the step found for the trace. */
    void reportTrace() {
        if (trace != null) {
            List<QueryTrace> queries = trace.take();
            if (!queries.isEmpty()) {
                listener.onSelection(queries);
            }
        }
    }

    /** How many alternatives each token is reported with, or {@link GenerationRequest#NO_LOG_PROBABILITIES}. */
    int topLogProbabilities() {
        return request.topLogProbabilities();
    }

    AdmittedListener listener() {
        return listener;
    }
}
