package dev.plumbline.conversation;

import dev.plumbline.database.Database;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Answers that their clients asked to store. A Mono is empty when there is none of that id for that owner. */
@Component
public final class StoredCompletions {
    private static final String MINE = " FROM completion WHERE listed AND owner = :owner";

    private static final String AND_ID = " AND id COLLATE \"C\"";

    private final Database database;

    StoredCompletions(Database database) {
        this.database = database;
    }

    /**
     * A part of an owner's answers, by id; ids grow with time.
     *
     * @param model only those of this model, or null
     * @param metadata only those that have all of these pairs
     */
    public Mono<Page<StoredAnswer>> page(String owner, PageRequest page, String model, Map<String, String> metadata) {
        return database.transaction(client -> client.sql("SELECT *" + MINE
                        + (page.after() == null ? "" : page.ascending() ? AND_ID + " > :after" : AND_ID + " < :after")
                        + (model == null ? "" : " AND model = :model")
                        + (metadata.isEmpty() ? "" : " AND metadata @> CAST(:metadata AS jsonb)")
                        + " ORDER BY id COLLATE \"C\"" + (page.ascending() ? "" : " DESC") + " LIMIT :limit")
                .param("owner", owner)
                .param("after", page.after())
                .param("model", model == null ? "" : StoredText.encode(model))
                .param("metadata", Rows.json(metadata))
                .param("limit", page.limit() + 1)
                .withFetchSize(Page.FETCHED)
                .query(Page.reader(
                        page.limit(),
                        Rows::answer,
                        answer -> answer.content().length() + answer.reasoning().length())));
    }

    private static Long seq(JdbcClient client, String owner, String id) {
        return client.sql("SELECT seq" + MINE + " AND id = :id")
                .param("owner", owner)
                .param("id", StoredText.encode(id))
                .query(Long.class)
                .optional()
                .orElse(null);
    }

    /** One answer. */
    public Mono<StoredAnswer> one(String owner, String id) {
        return database.transaction(client -> find(client, owner, id));
    }

    private static StoredAnswer find(JdbcClient client, String owner, String id) {
        return client.sql("SELECT *" + MINE + " AND id = :id")
                .param("owner", owner)
                .param("id", StoredText.encode(id))
                .query(Rows::answer)
                .optional()
                .orElse(null);
    }

    /** Replaces the client's pairs. */
    public Mono<StoredAnswer> update(String owner, String id, Map<String, String> metadata) {
        return database.transaction(client -> {
            client.sql("UPDATE completion SET metadata = CAST(:metadata AS jsonb)"
                            + " WHERE listed AND owner = :owner AND id = :id")
                    .param("metadata", Rows.json(metadata))
                    .param("owner", owner)
                    .param("id", StoredText.encode(id))
                    .update();
            return find(client, owner, id);
        });
    }

    /** Deletes an answer; one that belongs to a conversation stays in that. */
    public Mono<Boolean> delete(String owner, String id) {
        return database.transaction(client -> {
            Long seq = seq(client, owner, id);
            if (seq == null) {
                return null;
            }
            client.sql("UPDATE completion SET listed = false WHERE seq = :seq AND conversation_id IS NOT NULL")
                    .param("seq", seq)
                    .update();
            client.sql("DELETE FROM completion WHERE seq = :seq AND conversation_id IS NULL")
                    .param("seq", seq)
                    .update();
            return true;
        });
    }

    /** A part of the messages that an answer's request brought. {@code page.after()} is a position. */
    public Mono<Page<StoredMessage>> messages(String owner, String id, PageRequest page) {
        return database.transaction(client -> {
            Long seq = seq(client, owner, id);
            return seq == null ? null : messages(client, seq, page);
        });
    }

    private static Page<StoredMessage> messages(JdbcClient client, long seq, PageRequest page) {
        int after = page.after() == null ? (page.ascending() ? -1 : Integer.MAX_VALUE) : Integer.parseInt(page.after());
        return client.sql("SELECT m.*, a.run_config FROM message m JOIN completion a ON a.seq = m.completion_seq"
                        + " WHERE m.completion_seq = :seq"
                        + (page.ascending() ? " AND position > :after" : " AND position < :after")
                        + (page.ascending() ? " ORDER BY position" : " ORDER BY position DESC") + " LIMIT :limit")
                .param("seq", seq)
                .param("after", after)
                .param("limit", page.limit() + 1)
                .withFetchSize(Page.FETCHED)
                .query(Page.reader(page.limit(), Rows::message, message -> message.message()
                        .content()
                        .length()));
    }
}
