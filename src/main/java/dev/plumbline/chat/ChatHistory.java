package dev.plumbline.chat;

import dev.plumbline.conversation.ConversationThread;
import dev.plumbline.conversation.Conversations;
import dev.plumbline.conversation.HistoryGoneException;
import dev.plumbline.conversation.NewAnswer;
import dev.plumbline.conversation.Recorder;
import dev.plumbline.http.Refusal;
import dev.plumbline.target.ChatEvent;
import dev.plumbline.target.ChatPrompt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Continues conversations and stores answers, for the requests that ask for it. */
@Component
final class ChatHistory {
    private final Conversations conversations;
    private final Recorder recorder;

    ChatHistory(Conversations conversations, Recorder recorder) {
        this.conversations = conversations;
        this.recorder = recorder;
    }

    /**
     * The answer to a request, with the turns before it and recorded if the request says so.
     *
     * @param memory gets the bytes of those turns before they are loaded
     */
    Flux<ChatEvent> answer(
            ChatRequest request,
            Asker asker,
            Envelope envelope,
            LongConsumer memory,
            Function<ChatPrompt, Flux<ChatEvent>> target) {
        HistoryOptions options = request.history();
        if (!options.records()) {
            return target.apply(request.prompt());
        }
        if (options.conversation() == null) {
            return recorder.record(newAnswer(request, asker, envelope, null), target.apply(request.prompt()));
        }
        return conversations
                .thread(asker.owner(), options.conversation(), memory)
                .switchIfEmpty(Mono.error(() ->
                        Refusal.notFound("conversation", options.conversation().toString())))
                .flatMapMany(thread -> recorder.record(
                        newAnswer(request, asker, envelope, thread), target.apply(continued(request, thread))))
                .onErrorMap(
                        HistoryGoneException.class,
                        e -> Refusal.notFound(
                                "conversation", options.conversation().toString()));
    }

    private static NewAnswer newAnswer(ChatRequest request, Asker asker, Envelope envelope, ConversationThread thread) {
        return new NewAnswer(
                envelope.id(),
                asker.owner(),
                thread,
                request.history().store(),
                envelope.model(),
                envelope.fingerprint(),
                envelope.runConfig(),
                request.history().metadata(),
                Instant.ofEpochSecond(envelope.created()),
                request.prompt().messages(),
                asker.charge());
    }

    private static ChatPrompt continued(ChatRequest request, ConversationThread thread) {
        var messages = new ArrayList<>(thread.messages());
        messages.addAll(request.prompt().messages());
        return request.prompt().withMessages(List.copyOf(messages));
    }
}
