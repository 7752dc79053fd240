package dev.plumbline.conversation;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads a conversation's turns. */
final class Exchanges {
    private Exchanges() {}

    static List<Exchange> of(JdbcClient client, UUID conversation) {
        List<StoredAnswer> answers = client.sql("SELECT * FROM completion WHERE conversation_id = :id ORDER BY seq")
                .param("id", conversation)
                .query(Rows::answer)
                .list();
        Map<Long, List<StoredMessage>> messages = client
                .sql("SELECT m.* FROM message m"
                        + " JOIN completion a ON a.seq = m.completion_seq WHERE a.conversation_id = :id"
                        + " ORDER BY m.completion_seq, m.position")
                .param("id", conversation)
                .query(Rows::message)
                .list()
                .stream()
                .collect(Collectors.groupingBy(StoredMessage::answer));
        return answers.stream()
                .map(answer -> new Exchange(messages.getOrDefault(answer.seq(), List.of()), answer))
                .toList();
    }
}
