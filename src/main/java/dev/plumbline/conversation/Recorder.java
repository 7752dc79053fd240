package dev.plumbline.conversation;

import dev.plumbline.database.Database;
import dev.plumbline.target.ChatEvent;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;

/** Stores answers while they pass. */
@Component
public final class Recorder {
    private final Database database;

    Recorder(Database database) {
        this.database = database;
    }

    /**
     * The same events, later: the first one once the request is committed, the last one once the answer is. Errors are
     * those of {@code events}, {@link ConversationBusyException}, {@link HistoryGoneException} and
     * {@link dev.plumbline.database.DatabaseUnavailableException}; after one, as after a cancellation, the answer is
     * incomplete and has the text that had passed.
     */
    public Flux<ChatEvent> record(NewAnswer answer, Flux<ChatEvent> events) {
        return Recording.of(database, answer, events);
    }
}
