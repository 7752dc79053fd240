package dev.plumbline.target;

import dev.plumbline.engine.FinishReason;
import dev.plumbline.model.ReasoningSplitter;
import dev.plumbline.model.TextStream;
import dev.plumbline.model.Tokenizer;
import dev.plumbline.target.ChatEvent.Channel;
import dev.plumbline.target.ChatEvent.Reason;
import java.util.ArrayList;
import java.util.List;

/** Turns the tokens of one answer into texts; holds back what may still become a stop string or a character. */
final class AnswerAssembler {
    private final int promptTokens;
    private final ReasoningSplitter splitter;
    private final TextStream content;
    private final TextStream reasoning;
    private boolean started;
    private int tokens;
    private int reasoningTokens;

    AnswerAssembler(Tokenizer tokenizer, ReasoningSplitter splitter, int promptTokens, List<String> stop) {
        this.promptTokens = promptTokens;
        this.splitter = splitter;
        this.content = new TextStream(tokenizer, stop);
        this.reasoning = new TextStream(tokenizer, List.of());
    }

    /** The events that follow from one of the engine's; nothing may be asked after {@link ChatEvent.Finished}. */
    List<ChatEvent> accept(EngineFlux.Event event) {
        List<ChatEvent> events = new ArrayList<>(3);
        if (!started) {
            started = true;
            events.add(new ChatEvent.Started(promptTokens));
        }
        if (event instanceof EngineFlux.Token token) {
            token(token.id(), events);
        } else if (event instanceof EngineFlux.Ended ended) {
            ended(ended.reason(), events);
        }
        return events;
    }

    private void token(int id, List<ChatEvent> events) {
        tokens++;
        switch (splitter.next(id)) {
            case REASONING -> {
                reasoningTokens++;
                add(Channel.REASONING, reasoning.add(id), events);
            }
            case BOUNDARY -> {
                reasoningTokens++;
                add(Channel.REASONING, reasoning.finish(), events);
            }
            case CONTENT -> {
                if (add(Channel.CONTENT, content.add(id), events)) {
                    events.add(finished(Reason.STOP));
                }
            }
        }
    }

    private void ended(FinishReason reason, List<ChatEvent> events) {
        if (reason == FinishReason.CANCELLED) {
            throw new IllegalStateException("the generation was cancelled");
        }
        if (splitter.isReasoning()) {
            add(Channel.REASONING, reasoning.finish(), events);
        }
        boolean stopped = add(Channel.CONTENT, content.finish(), events);
        events.add(finished(stopped || reason == FinishReason.STOP ? Reason.STOP : Reason.LENGTH));
    }

    private ChatEvent finished(Reason reason) {
        return new ChatEvent.Finished(reason, new ChatEvent.Usage(promptTokens, tokens, reasoningTokens));
    }

    private static boolean add(Channel channel, TextStream.Piece piece, List<ChatEvent> events) {
        if (!piece.text().isEmpty()) {
            events.add(new ChatEvent.Text(channel, piece.text()));
        }
        return piece.stopped();
    }
}
