package dev.plumbline.conversation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads a conversation's turns. */
final class Exchanges {
    /** Bytes of text after which a part ends. */
    private static final long PART_BYTES = 1 << 20;

    private static final int PART_EXCHANGES = 64;

    private static final String BYTES = "octet_length(a.content) + octet_length(a.reasoning) + (SELECT"
            + " coalesce(sum(octet_length(m.content) + octet_length(m.reasoning)), 0)"
            + " FROM message m WHERE m.completion_seq = a.seq)";

    private Exchanges() {}

    /** All of them. */
    static List<Exchange> all(JdbcClient client, UUID conversation) {
        return between(client, conversation, 0, Long.MAX_VALUE);
    }

    /** Bytes of all their text. */
    static long bytes(JdbcClient client, UUID conversation) {
        return client.sql("SELECT coalesce(sum(" + BYTES + "), 0) FROM completion a WHERE a.conversation_id = :id")
                .param("id", conversation)
                .query(Long.class)
                .single();
    }

    /** Those that follow an answer, as many as are read at a time. */
    static Page<Exchange> part(JdbcClient client, UUID conversation, long after) {
        record Size(long seq, long bytes) {}
        List<Size> sizes = client.sql("SELECT a.seq, " + BYTES + " AS bytes FROM completion a"
                        + " WHERE a.conversation_id = :id AND a.seq > :after ORDER BY a.seq LIMIT :limit")
                .param("id", conversation)
                .param("after", after)
                .param("limit", PART_EXCHANGES)
                .query((row, number) -> new Size(row.getLong("seq"), row.getLong("bytes")))
                .list();
        long last = after;
        long read = 0;
        for (Size size : sizes) {
            if (read >= PART_BYTES) {
                break;
            }
            last = size.seq();
            read += size.bytes();
        }
        if (sizes.isEmpty()) {
            return new Page<>(List.of(), false);
        }
        List<Exchange> part = between(client, conversation, after + 1, last);
        boolean others = sizes.size() == PART_EXCHANGES
                || last < sizes.get(sizes.size() - 1).seq();
        return new Page<>(part, others && !part.isEmpty());
    }

    private static List<Exchange> between(JdbcClient client, UUID conversation, long first, long last) {
        List<StoredAnswer> answers = new ArrayList<>(client.sql("SELECT * FROM completion"
                        + " WHERE conversation_id = :id AND seq BETWEEN :first AND :last ORDER BY seq")
                .param("id", conversation)
                .param("first", first)
                .param("last", last)
                .query(Rows::answer)
                .list());
        Map<Long, List<StoredMessage>> messages = client
                .sql("SELECT m.*, a.run_config FROM message m JOIN completion a ON a.seq = m.completion_seq"
                        + " WHERE a.conversation_id = :id AND a.seq BETWEEN :first AND :last"
                        + " ORDER BY m.completion_seq, m.position")
                .param("id", conversation)
                .param("first", first)
                .param("last", last)
                .query(Rows::message)
                .list()
                .stream()
                .collect(Collectors.groupingBy(StoredMessage::answer));
        // One without messages was deleted between the two questions.
        answers.removeIf(answer -> !messages.containsKey(answer.seq()));
        return answers.stream()
                .map(answer -> new Exchange(messages.get(answer.seq()), answer))
                .toList();
    }
}
