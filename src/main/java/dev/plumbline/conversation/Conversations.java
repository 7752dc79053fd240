package dev.plumbline.conversation;

import dev.plumbline.database.Database;
import dev.plumbline.model.ChatMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Conversations of their owners. A Mono is empty when there is none of that id for that owner. */
@Component
public final class Conversations {
    /** A text may be as long as a request's; what is loaded to continue it likewise. */
    static final long MOST_BYTES = 8 << 20;

    /** One look into each index, however many conversations there are. */
    private static final String MATCHES = " AND c.id IN ("
            + "SELECT id FROM conversation WHERE owner = :owner AND search @@ websearch_to_tsquery('simple', :query)"
            + " UNION SELECT a.conversation_id FROM completion a"
            + " WHERE a.owner = :owner AND a.search @@ websearch_to_tsquery('simple', :query)"
            + " UNION SELECT a.conversation_id FROM message m JOIN completion a ON a.seq = m.completion_seq"
            + " WHERE a.owner = :owner AND m.search @@ websearch_to_tsquery('simple', :query))";

    private final Database database;

    Conversations(Database database) {
        this.database = database;
    }

    /** Makes one. */
    public Mono<StoredConversation> create(String owner, String title, Map<String, String> metadata) {
        return database.transaction(client -> client.sql("INSERT INTO conversation (id, owner, title, metadata)"
                        + " VALUES (:id, :owner, :title, CAST(:metadata AS jsonb)) RETURNING *")
                .param("id", TimeOrderedId.at(Instant.now()))
                .param("owner", owner)
                .param("title", StoredText.encode(title))
                .param("metadata", Rows.json(metadata))
                .query(Rows::conversation)
                .single());
    }

    /**
     * A part of an owner's conversations, by id; ids grow with time.
     *
     * @param query words that a title or a turn must have, or null
     */
    public Mono<Page<StoredConversation>> page(String owner, PageRequest page, String query) {
        return database.transaction(client -> client.sql("SELECT * FROM conversation c WHERE c.owner = :owner"
                        + (page.after() == null ? "" : page.ascending() ? " AND c.id > :after" : " AND c.id < :after")
                        + (query == null ? "" : MATCHES)
                        + (page.ascending() ? " ORDER BY c.id" : " ORDER BY c.id DESC") + " LIMIT :limit")
                .param("owner", owner)
                .param("after", page.after() == null ? null : UUID.fromString(page.after()))
                .param("query", query == null ? "" : StoredText.encode(query))
                .param("limit", page.limit() + 1)
                .query(Page.reader(page.limit(), Rows::conversation, conversation -> 1)));
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
            // The lock waits for a request that is just adding a turn: its stored answer stays too.
            if (client.sql("SELECT id FROM conversation WHERE owner = :owner AND id = :id FOR UPDATE")
                    .param("owner", owner)
                    .param("id", id)
                    .query(UUID.class)
                    .optional()
                    .isEmpty()) {
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

    /** All that was said, in order; read in parts as it is asked for. Nothing if there is no such conversation. */
    public Flux<Exchange> exchanges(String owner, UUID id) {
        return part(owner, id, 0)
                .expand(part -> part.more() ? part(owner, id, last(part)) : Mono.empty())
                .concatMapIterable(Page::items, 1);
    }

    private Mono<Page<Exchange>> part(String owner, UUID id, long after) {
        return database.transaction(
                client -> find(client, owner, id) == null ? null : Exchanges.part(client, id, after));
    }

    private static long last(Page<Exchange> part) {
        return part.items().get(part.items().size() - 1).answer().seq();
    }

    /**
     * What the next request continues.
     *
     * @param memory gets the bytes that are about to be loaded, and may refuse them by an exception
     * @return fails with {@link ConversationBusyException} while an answer is in progress, and with
     *     {@link ConversationTooLongException}
     */
    public Mono<ConversationThread> thread(String owner, UUID id, LongConsumer memory) {
        return database.transaction(client -> {
            if (find(client, owner, id) == null) {
                return null;
            }
            long bytes = Exchanges.bytes(client, id);
            if (bytes > MOST_BYTES) {
                throw new ConversationTooLongException(bytes, MOST_BYTES);
            }
            memory.accept(bytes);
            return thread(id, Exchanges.all(client, id));
        });
    }

    private static ConversationThread thread(UUID id, List<Exchange> exchanges) {
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
    }
}
