package dev.plumbline.target;

import dev.plumbline.engine.FinishReason;
import dev.plumbline.engine.LaneKey;
import dev.plumbline.model.ReasoningSplitter;
import dev.plumbline.model.TextStream;
import dev.plumbline.model.Tokenizer;
import dev.plumbline.target.ChatEvent.Channel;
import dev.plumbline.target.ChatEvent.Reason;
import dev.plumbline.target.ChatEvent.Score;
import dev.plumbline.trace.QueryTrace;
import java.util.ArrayList;
import java.util.List;

/** Turns the tokens of one choice into texts; holds back what may still become a stop string or a character. */
final class AnswerAssembler {
    private final int choice;
    private final LaneKey lane;
    private final int promptTokens;
    private final ReasoningSplitter splitter;
    private final TextStream content;
    private final TextStream reasoning;
    private final TracedPrompt traced;
    private final List<QueryTrace> queries = new ArrayList<>();
    private final HeldScores scores = new HeldScores();
    private boolean started;
    private int cachedTokens;
    private int tokens;
    private int reasoningTokens;

    /** @param traced the prompt if its selections are to be told, otherwise null */
    AnswerAssembler(
            int choice,
            LaneKey lane,
            Tokenizer tokenizer,
            ReasoningSplitter splitter,
            int promptTokens,
            List<String> stop,
            TracedPrompt traced) {
        this.traced = traced;
        this.choice = choice;
        this.lane = lane;
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
            events.add(new ChatEvent.Started(choice, promptTokens, lane));
        }
        if (event instanceof EngineFlux.Token token) {
            token(token, events);
        } else if (event instanceof EngineFlux.Admitted admitted) {
            cachedTokens = admitted.cachedTokens();
        } else if (event instanceof EngineFlux.Selection selection) {
            queries.addAll(selection.queries());
        } else if (event instanceof EngineFlux.Ended ended) {
            ended(ended.reason(), events);
        }
        return events;
    }

    private void token(EngineFlux.Token token, List<ChatEvent> events) {
        int id = token.id();
        tokens++;
        switch (splitter.next(id)) {
            case REASONING -> {
                reasoningTokens++;
                reason(reasoning.add(id), events);
            }
            case BOUNDARY -> {
                reasoningTokens++;
                reason(reasoning.finish(), events);
            }
            case CONTENT -> {
                TextStream.Piece piece = content.add(id);
                scores.add(id, token.logProbabilities(), content);
                if (say(piece, events)) {
                    finish(Reason.STOP, events);
                }
            }
        }
    }

    private void ended(FinishReason reason, List<ChatEvent> events) {
        if (reason == FinishReason.CANCELLED) {
            throw new IllegalStateException("the generation was cancelled");
        }
        if (splitter.isReasoning()) {
            reason(reasoning.finish(), events);
        }
        boolean stopped = say(content.finish(), events);
        finish(stopped || reason == FinishReason.STOP ? Reason.STOP : Reason.LENGTH, events);
    }

    private void finish(Reason reason, List<ChatEvent> events) {
        if (traced != null) {
            events.add(new ChatEvent.Selected(choice, traced, queries));
        }
        ChatEvent.Usage usage = new ChatEvent.Usage(promptTokens, cachedTokens, tokens, reasoningTokens);
        events.add(new ChatEvent.Finished(choice, reason, usage));
    }

    private void reason(TextStream.Piece piece, List<ChatEvent> events) {
        if (!piece.text().isEmpty()) {
            events.add(new ChatEvent.Text(choice, Channel.REASONING, piece.text(), List.of()));
        }
    }

    private boolean say(TextStream.Piece piece, List<ChatEvent> events) {
        List<Score> released = scores.release(piece.text());
        if (!piece.text().isEmpty() || !released.isEmpty()) {
            events.add(new ChatEvent.Text(choice, Channel.CONTENT, piece.text(), released));
        }
        return piece.stopped();
    }
}
