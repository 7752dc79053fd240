package dev.plumbline.target;

import dev.plumbline.engine.Engine;
import dev.plumbline.engine.EngineStatus;
import dev.plumbline.engine.GenerationRequest;
import dev.plumbline.engine.LaneFacts;
import dev.plumbline.engine.LaneHold;
import dev.plumbline.engine.LaneKey;
import dev.plumbline.engine.QueueFullException;
import dev.plumbline.model.ChatEncoding;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.model.Tokenizer;
import dev.plumbline.target.ChatEvent.Finished;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A model loaded into the native engine, with its tokenizer and chat encoding. Thread-safe. */
public final class NativeTarget implements AutoCloseable {
    private final ModelFacts model;
    private final Checkpoint checkpoint;
    private final Tokenizer tokenizer;
    private final ChatEncoding encoding;
    private final Engine engine;
    private final PromptEncoder encoder;
    private final int maxWaiting;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final TraceBudget traces = new TraceBudget();

    /**
     * Takes over an engine, a tokenizer and the checkpoint that the engine reads.
     *
     * @param model which model it is
     * @param maxWaiting most generations beyond those that the engine computes
     */
    NativeTarget(ModelFacts model, Checkpoint checkpoint, Tokenizer tokenizer, Engine engine, int maxWaiting) {
        this.model = model;
        this.checkpoint = checkpoint;
        this.tokenizer = tokenizer;
        this.encoding = new ChatEncoding(tokenizer);
        this.engine = engine;
        this.encoder = new PromptEncoder(tokenizer, encoding, engine.status().maxContext());
        this.maxWaiting = maxWaiting;
    }

    /** What clients call the model. */
    public String name() {
        return model.name();
    }

    /** Which model it is. */
    public ModelFacts model() {
        return model;
    }

    /** Most generations that wait beyond those that the engine computes. */
    public int maxWaiting() {
        return maxWaiting;
    }

    /** The lane of prompts that name none. */
    public LaneKey active() {
        return engine.active();
    }

    /** {@link #fingerprint(LaneKey)} of the active lane. */
    public String fingerprint() {
        return fingerprint(active());
    }

    /** Names program, run config and flags: equal fingerprints and seeds give equal answers. */
    public String fingerprint(LaneKey lane) {
        return Fingerprint.of(lane, engine.status().backend());
    }

    /**
     * Opens a lane and makes it the one of prompts that name none; what is being answered stays where it is. Errors: those
     * of {@link Engine#activate}, after which nothing has changed. Comes on Reactor's scheduler for calls that wait.
     */
    public Mono<LaneFacts> activate(LaneKey lane) {
        return Mono.fromFuture(() -> engine.activate(lane), true).publishOn(Schedulers.boundedElastic());
    }

    /** The model's tokenizer. */
    public Tokenizer tokenizer() {
        return tokenizer;
    }

    /** The model's chat encoding. */
    public ChatEncoding encoding() {
        return encoding;
    }

    /** The engine, for callers that think in tokens. */
    public Engine engine() {
        return engine;
    }

    /** Whether the engine takes requests. */
    public boolean running() {
        return engine.running();
    }

    /** What is loaded and how full it is. */
    public EngineStatus status() {
        return engine.status();
    }

    /**
     * Answers a conversation; cancelling the stream drops the generation at once. Events come on threads of Reactor's
     * parallel scheduler. Errors before {@link ChatEvent.Started}: {@link PromptTooLongException},
     * {@link dev.plumbline.engine.ContextLengthException}, {@link QueueFullException},
     * {@link TooManyChoicesException}, {@link InvalidPromptException}, {@link SelectionException}, {@link TracesFullException},
     * {@link EngineStoppedException}, and what {@link Engine#activate} fails with if the prompt's lane cannot be opened; at any time what the engine fails with.
     *
     * @param tokenWatch gets the choice of every token as it comes, before its text is safe to say
     */
    public Flux<ChatEvent> answer(ChatPrompt prompt, IntConsumer tokenWatch) {
        return Flux.defer(() -> {
            // Counted here because the engine sees a prompt only after its encoding.
            int places = engine.status().maxSequences() + maxWaiting;
            if (prompt.choices() > places) {
                return Flux.error(new TooManyChoicesException(prompt.choices(), places));
            }
            if (inFlight.addAndGet(prompt.choices()) > places) {
                inFlight.addAndGet(-prompt.choices());
                return Flux.error(new QueueFullException(maxWaiting));
            }
            return onLane(prompt.lane() == null ? active() : prompt.lane(), prompt, tokenWatch)
                    .doFinally(signal -> inFlight.addAndGet(-prompt.choices()));
        });
    }

    /** The lane is held from here on, so that it is there when the prompt is encoded. */
    private Flux<ChatEvent> onLane(LaneKey lane, ChatPrompt prompt, IntConsumer tokenWatch) {
        return Flux.using(
                () -> hold(lane),
                hold -> encoder.encode(prompt)
                        .zipWith(Mono.fromFuture(hold::opened, true), (tokens, facts) -> tokens)
                        .flatMapMany(tokens -> generate(tokens, lane, prompt, tokenWatch)),
                LaneHold::close);
    }

    private LaneHold hold(LaneKey lane) {
        try {
            return engine.hold(lane);
        } catch (IllegalStateException closed) {
            throw new EngineStoppedException(closed);
        }
    }

    private Flux<ChatEvent> generate(int[] tokens, LaneKey lane, ChatPrompt prompt, IntConsumer tokenWatch) {
        if (prompt.selection() == null) {
            return generate(tokens, lane, prompt, null, tokenWatch);
        }
        SelectionPlan plan =
                SelectionPlan.of(prompt, tokens, tokenizer, encoding.userTurn(), lane.profile(), engine.status());
        // Given back after the last event, with which the trace is written.
        return Flux.using(
                () -> traces.take(plan.bytes()),
                room -> generate(tokens, lane, prompt, plan, tokenWatch),
                TraceBudget.Room::giveBack,
                false);
    }

    private Flux<ChatEvent> generate(
            int[] tokens, LaneKey lane, ChatPrompt prompt, SelectionPlan plan, IntConsumer tokenWatch) {
        List<AnswerAssembler> assemblers = new ArrayList<>();
        List<GenerationRequest> requests = new ArrayList<>();
        Set<Integer> stopTokens = Set.of(encoding.endOfSentence());
        for (int choice = 0; choice < prompt.choices(); choice++) {
            assemblers.add(new AnswerAssembler(
                    choice,
                    lane,
                    tokenizer,
                    encoding.splitter(prompt.thinking()),
                    tokens.length,
                    prompt.stop(),
                    plan == null ? null : plan.prompt()));
            requests.add(new GenerationRequest(
                    tokens,
                    prompt.maxTokens(),
                    prompt.sampling(),
                    stopTokens,
                    choice,
                    prompt.topLogProbabilities(),
                    plan == null ? null : plan.request()));
        }
        Choices choices = new Choices(assemblers, tokenWatch);
        return EngineFlux.of(engine, lane, requests)
                .publishOn(Schedulers.parallel())
                .concatMapIterable(choices::accept)
                .takeUntil(event -> choices.done() && event instanceof Finished);
    }

    /** Ends every generation with an error and frees the model. */
    @Override
    public void close() {
        encoder.close();
        engine.close();
        checkpoint.close();
        tokenizer.close();
    }
}
