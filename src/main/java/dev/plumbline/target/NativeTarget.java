package dev.plumbline.target;

import dev.plumbline.engine.Engine;
import dev.plumbline.engine.EngineStatus;
import dev.plumbline.engine.GenerationRequest;
import dev.plumbline.engine.QueueFullException;
import dev.plumbline.model.ChatEncoding;
import dev.plumbline.model.Tokenizer;
import dev.plumbline.target.ChatEvent.Finished;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** A model loaded into the native engine, with its tokenizer and chat encoding. Thread-safe. */
public final class NativeTarget implements AutoCloseable {
    private final ModelFacts model;
    private final String fingerprint;
    private final Tokenizer tokenizer;
    private final ChatEncoding encoding;
    private final Engine engine;
    private final PromptEncoder encoder;
    private final int maxWaiting;
    private final AtomicInteger inFlight = new AtomicInteger();

    /**
     * Takes over an engine and a tokenizer.
     *
     * @param model which model it is
     * @param fingerprint names program and precision profile
     * @param maxWaiting most generations beyond those that the engine computes
     */
    NativeTarget(ModelFacts model, String fingerprint, Tokenizer tokenizer, Engine engine, int maxWaiting) {
        this.model = model;
        this.fingerprint = fingerprint;
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

    /** Names program and precision profile: equal fingerprints and seeds give equal answers. */
    public String fingerprint() {
        return fingerprint;
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
     * {@link TooManyChoicesException}, {@link InvalidPromptException}, {@link EngineStoppedException}; at any time what the engine fails with.
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
            return encoder.encode(prompt)
                    .flatMapMany(tokens -> generate(tokens, prompt, tokenWatch))
                    .doFinally(signal -> inFlight.addAndGet(-prompt.choices()));
        });
    }

    private Flux<ChatEvent> generate(int[] tokens, ChatPrompt prompt, IntConsumer tokenWatch) {
        List<AnswerAssembler> assemblers = new ArrayList<>();
        List<GenerationRequest> requests = new ArrayList<>();
        Set<Integer> stopTokens = Set.of(encoding.endOfSentence());
        for (int choice = 0; choice < prompt.choices(); choice++) {
            assemblers.add(new AnswerAssembler(
                    choice, tokenizer, encoding.splitter(prompt.thinking()), tokens.length, prompt.stop()));
            requests.add(new GenerationRequest(
                    tokens,
                    prompt.maxTokens(),
                    prompt.sampling(),
                    stopTokens,
                    choice,
                    prompt.topLogProbabilities(),
                    null));
        }
        Choices choices = new Choices(assemblers, tokenWatch);
        return EngineFlux.of(engine, requests)
                .publishOn(Schedulers.parallel())
                .concatMapIterable(choices::accept)
                .takeUntil(event -> choices.done() && event instanceof Finished);
    }

    /** Ends every generation with an error and frees the model. */
    @Override
    public void close() {
        encoder.close();
        engine.close();
        tokenizer.close();
    }
}
