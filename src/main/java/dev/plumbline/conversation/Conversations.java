package dev.plumbline.conversation;

import dev.plumbline.database.Database;
import dev.plumbline.model.ChatMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Conversations of their owners. A Mono is empty when there is none of that id for that owner. */
@Component
public final class Conversations {
    private static final String MATCHES = " AND (c.search @@ websearch_to_tsquery('simple', :query)"
            + " OR EXISTS (SELECT FROM completion a WHERE a.conversation_id = c.id"
            + " AND (a.search @@ websearch_to_tsquery('simple', :query)"
            + " OR EXISTS (SELECT FROM message m WHERE m.completion_seq = a.seq"
            + " AND m.search @@ websearch_to_tsquery('simple', :query)))))";

    private final Database database;

    Conversations(Database database) {
        this.database = database;
    }

    /** Makes one. */
    public Mono<StoredConversation> create(String owner, String title, Map<String, String> metadata) {
        return database.transaction(client -> client.sql("INSERT INTO conversation (id, owner, title, metadata)"
                        + " VALUES (:id, :owner, :title, CAST(:metadata AS jsonb)) RETURNING *")
                .param("id", UUID.randomUUID())
                .param("owner", owner)
                .param("title", StoredText.encode(title))
                .param("metadata", Rows.json(metadata))
                .query(Rows::conversation)
                .single());
    }

    /**
     * A part of an owner's conversations.
     *
     * @param query words that a title or a turn must have, or null
     * @return empty if the id to begin after does not exist
     */
    public Mono<Page<StoredConversation>> page(String owner, PageRequest page, String query) {
        return database.transaction(client -> {
            Long after = page.after() == null ? start(page) : seq(client, owner, page.after());
            return after == null ? null : page(client, owner, page, after, query);
        });
    }

    private static Page<StoredConversation> page(
            JdbcClient client, String owner, PageRequest page, long after, String query) {
        List<StoredConversation> found = client.sql("SELECT * FROM conversation c WHERE c.owner = :owner"
                        + (page.ascending() ? " AND c.seq > :after" : " AND c.seq < :after")
                        + (query == null ? "" : MATCHES)
                        + (page.ascending() ? " ORDER BY c.seq" : " ORDER BY c.seq DESC") + " LIMIT :limit")
                .param("owner", owner)
                .param("after", after)
                .param("query", query == null ? "" : StoredText.encode(query))
                .param("limit", page.limit() + 1)
                .query(Rows::conversation)
                .list();
        return Page.of(found, page.limit());
    }

    private static Long start(PageRequest page) {
        return page.ascending() ? 0L : Long.MAX_VALUE;
    }

    private static Long seq(JdbcClient client, String owner, String id) {
        return client.sql("SELECT seq FROM conversation WHERE owner = :owner AND id::text = :id")
                .param("owner", owner)
                .param("id", StoredText.encode(id))
                .query(Long.class)
                .optional()
                .orElse(null);
    }

    /** One conversation. */
    public Mono<StoredConversation> one(String owner, UUID id) {
        return database.transaction(client -> find(client, owner, id));
    }

    private static StoredConversation find(JdbcClient client, String owner, UUID id) {
        return client.sql("SELECT * FROM conversation WHERE owner = :owner AND id = :id")
                .param("owner", owner)
                .param("id", id)
                .query(Rows::conversation)
                .optional()
                .orElse(null);
    }

    /** Replaces title and metadata, each if it is not null. */
    public Mono<StoredConversation> update(String owner, UUID id, String title, Map<String, String> metadata) {
        return database.transaction(client -> {
            client.sql("UPDATE conversation SET updated_at = clock_timestamp(),"
                            + " title = coalesce(:title, title), metadata = coalesce(CAST(:metadata AS jsonb), metadata)"
                            + " WHERE owner = :owner AND id = :id")
                    .param("title", title == null ? null : StoredText.encode(title), java.sql.Types.VARCHAR)
                    .param("metadata", metadata == null ? null : Rows.json(metadata), java.sql.Types.VARCHAR)
                    .param("owner", owner)
                    .param("id", id)
                    .update();
            return find(client, owner, id);
        });
    }

    /** Deletes a conversation with its turns; answers that were stored on their own stay. */
    public Mono<Boolean> delete(String owner, UUID id) {
        return database.transaction(client -> {
            if (find(client, owner, id) == null) {
                return null;
            }
            client.sql("UPDATE completion SET conversation_id = NULL WHERE conversation_id = :id AND listed")
                    .param("id", id)
                    .update();
            client.sql("DELETE FROM conversation WHERE id = :id")
                    .param("id", id)
                    .update();
            return true;
        });
    }

    /** All that was said, in order. */
    public Mono<List<Exchange>> exchanges(String owner, UUID id) {
        return database.transaction(client -> find(client, owner, id) == null ? null : Exchanges.of(client, id));
    }

    /**
     * What the next request continues.
     *
     * @return fails with {@link ConversationBusyException} while an answer is in progress
     */
    public Mono<ConversationThread> thread(String owner, UUID id) {
        return exchanges(owner, id).map(exchanges -> {
            List<ChatMessage> turns = new ArrayList<>();
            long last = 0;
            for (Exchange exchange : exchanges) {
                StoredAnswer answer = exchange.answer();
                if (answer.status() == Status.IN_PROGRESS) {
                    throw new ConversationBusyException();
                }
                exchange.messages().forEach(message -> turns.add(message.message()));
                if (!answer.content().isEmpty() || answer.status() == Status.COMPLETE) {
                    turns.add(new ChatMessage(
                            ChatMessage.Role.ASSISTANT,
                            answer.content(),
                            answer.reasoning().isEmpty() ? null : answer.reasoning()));
                }
                last = answer.seq();
            }
            return new ConversationThread(id, last, turns);
        });
    }
}
