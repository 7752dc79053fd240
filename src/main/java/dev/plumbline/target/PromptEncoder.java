package dev.plumbline.target;

import dev.plumbline.model.ChatEncoding;
import dev.plumbline.model.ChatMessage;
import dev.plumbline.model.Tokenizer;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Encodes prompts away from the threads that must not wait: a text of megabytes takes seconds. */
final class PromptEncoder implements AutoCloseable {
    /** Few, so that encoding does not take the cores away from the kernels. */
    private static final int THREADS = 2;

    private final ChatEncoding encoding;
    private final int maxContext;
    private final int longestToken;
    private final Scheduler scheduler = Schedulers.newBoundedElastic(THREADS, Integer.MAX_VALUE, "encode");

    PromptEncoder(Tokenizer tokenizer, ChatEncoding encoding, int maxContext) {
        this.encoding = encoding;
        this.maxContext = maxContext;
        this.longestToken = longest(tokenizer);
    }

    /** The prompt's tokens, or {@link PromptTooLongException} without the seconds that a hopeless prompt would cost. */
    Mono<int[]> encode(ChatPrompt prompt) {
        return Mono.fromCallable(() -> {
                    long least = prompt.messages().stream()
                                    .mapToLong(PromptEncoder::leastBytes)
                                    .sum()
                            / longestToken;
                    if (least > maxContext) {
                        throw new PromptTooLongException(least, maxContext);
                    }
                    return encoding.encode(prompt.messages(), prompt.thinking());
                })
                .subscribeOn(scheduler);
    }

    /** Reasoning of earlier turns may be dropped, content never is. */
    private static long leastBytes(ChatMessage message) {
        return message.role() == ChatMessage.Role.DEVELOPER
                ? 0
                : message.content().length();
    }

    private static int longest(Tokenizer tokenizer) {
        int longest = 1;
        for (int id = 0; id < tokenizer.vocabSize(); id++) {
            longest = Math.max(longest, tokenizer.bytes(id).length);
        }
        return longest;
    }

    @Override
    public void close() {
        scheduler.dispose();
    }
}
