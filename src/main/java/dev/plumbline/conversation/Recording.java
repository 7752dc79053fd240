package dev.plumbline.conversation;

import dev.plumbline.database.Database;
import dev.plumbline.target.ChatEvent;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Stores one answer while it passes: first and last event wait for their commit, text in between is stored by a timer. */
final class Recording {
    private static final Logger LOG = LoggerFactory.getLogger(Recording.class);
    private static final long FLUSH_MILLIS = 500;
    private static final int TOUCH_EVERY = 8;

    private final Database database;
    private final NewAnswer answer;

    /** Guards the texts, and is never held during a call. */
    private final Object texts = new Object();

    private final StringBuilder content = new StringBuilder();
    private final StringBuilder reasoning = new StringBuilder();
    private boolean changed;

    /** Guarded by this, as are all calls to the database. */
    private long seq;

    private boolean begun;
    private boolean ended;
    private int quiet;
    private Disposable timer;
    private volatile RuntimeException failure;

    Recording(Database database, NewAnswer answer) {
        this.database = database;
        this.answer = answer;
    }

    /** The events of an answer, each as soon as what the promise says of it is committed. */
    static Flux<ChatEvent> of(Database database, NewAnswer answer, Flux<ChatEvent> events) {
        return Flux.usingWhen(
                Mono.fromSupplier(() -> new Recording(database, answer)),
                recording -> events.concatMap(recording::step),
                Recording::cut,
                (recording, error) -> recording.cut(),
                Recording::cut);
    }

    private Mono<ChatEvent> step(ChatEvent event) {
        if (failure != null) {
            return Mono.error(failure);
        }
        if (event instanceof ChatEvent.Text text) {
            add(text);
        } else if (event instanceof ChatEvent.Started) {
            return call(this::begin).thenReturn(event);
        } else if (event instanceof ChatEvent.Finished finished) {
            return call(() -> complete(finished)).thenReturn(event);
        }
        return Mono.just(event);
    }

    private Mono<Boolean> call(Callable<Boolean> work) {
        return database.recording(work);
    }

    private void add(ChatEvent.Text text) {
        synchronized (texts) {
            (text.channel() == ChatEvent.Channel.CONTENT ? content : reasoning).append(text.text());
            changed = true;
        }
    }

    private Draft draft() {
        synchronized (texts) {
            changed = false;
            return new Draft(content.toString(), reasoning.toString());
        }
    }

    private synchronized boolean begin() {
        if (ended) {
            // Its client left while this call waited for a thread.
            return false;
        }
        seq = database.now(client -> AnswerWriter.begin(client, answer));
        begun = true;
        timer = database.recordScheduler()
                .schedulePeriodically(this::flush, FLUSH_MILLIS, FLUSH_MILLIS, TimeUnit.MILLISECONDS);
        return true;
    }

    /** Runs on the timer; a failure ends the answer at its next event. */
    private synchronized void flush() {
        if (ended || failure != null) {
            return;
        }
        try {
            if (hasChanged()) {
                quiet = 0;
                Draft draft = draft();
                database.now(client -> update(client, draft));
            } else if (++quiet % TOUCH_EVERY == 0) {
                database.now(client -> touch(client));
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private boolean update(JdbcClient client, Draft draft) {
        AnswerWriter.update(client, seq, draft);
        return true;
    }

    private boolean touch(JdbcClient client) {
        AnswerWriter.touch(client, seq);
        return true;
    }

    private boolean hasChanged() {
        synchronized (texts) {
            return changed;
        }
    }

    private synchronized boolean complete(ChatEvent.Finished finished) {
        timer.dispose();
        Draft draft = draft();
        answer.charge()
                .settle(usage -> database.now(client -> {
                    AnswerWriter.complete(client, seq, draft, finished);
                    usage.accept(client);
                    return true;
                }));
        ended = true;
        return true;
    }

    /** After the last event, an error or a cancellation. Nothing to do for a complete answer. */
    private Mono<Void> cut() {
        return call(this::end).then().onErrorResume(e -> {
            // The row is found later, by the time it was last touched.
            LOG.warn("An answer that was cut could not be stored: {}", e.getMessage());
            return Mono.empty();
        });
    }

    private synchronized boolean end() {
        boolean open = begun && !ended;
        ended = true;
        if (open) {
            timer.dispose();
            Draft draft = draft();
            database.now(client -> {
                AnswerWriter.cut(client, seq, draft);
                return true;
            });
        }
        return true;
    }
}
