package dev.plumbline.conversation;

import dev.plumbline.model.ChatMessage;
import dev.plumbline.target.ChatEvent;
import java.sql.Timestamp;
import java.util.List;
import java.util.Locale;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Writes one answer from its request to its end. Every method is one transaction's work. */
final class AnswerWriter {
    private static final int TITLE_LENGTH = 80;

    /** What another server took for abandoned stays as it is: the conversation may have gone on from there. */
    private static final String UNFINISHED = " WHERE seq = :seq AND status = 'in_progress'";

    private AnswerWriter() {}

    /** Stores the request; the answer's number. */
    static long begin(JdbcClient client, NewAnswer answer) {
        if (answer.thread() != null) {
            continueThread(client, answer);
        }
        long seq = insert(client, answer);
        client.sql("INSERT INTO message (completion_seq, position, role, content, reasoning)"
                        + " SELECT :seq, n - 1, m ->> 'role', m ->> 'content', m ->> 'reasoning'"
                        + " FROM json_array_elements(CAST(:messages AS json)) WITH ORDINALITY AS e (m, n)")
                .param("seq", seq)
                .param("messages", Rows.json(answer.messages()))
                .update();
        return seq;
    }

    /** The lock makes the second of two requests wait here and then see the first one's answer. */
    private static void continueThread(JdbcClient client, NewAnswer answer) {
        int found = client.sql("UPDATE conversation SET updated_at = clock_timestamp(),"
                        + " title = CASE WHEN title = '' THEN :title ELSE title END"
                        + " WHERE id = :id AND owner = :owner")
                .param("title", title(answer.messages()))
                .param("id", answer.thread().id())
                .param("owner", answer.owner())
                .update();
        if (found == 0) {
            throw new HistoryGoneException("conversation");
        }
        long last = client.sql("SELECT coalesce(max(seq), 0) FROM completion WHERE conversation_id = :id")
                .param("id", answer.thread().id())
                .query(Long.class)
                .single();
        if (last != answer.thread().last()) {
            throw new ConversationBusyException();
        }
    }

    private static long insert(JdbcClient client, NewAnswer answer) {
        try {
            return client.sql("INSERT INTO completion"
                            + " (id, owner, conversation_id, listed, model, fingerprint, run_config, metadata, created_at,"
                            + " status)"
                            + " VALUES (:id, :owner, :conversation, :listed, :model, :fingerprint, :config,"
                            + " CAST(:metadata AS jsonb), :created, 'in_progress') RETURNING seq")
                    .param("id", answer.id())
                    .param("owner", answer.owner())
                    .param(
                            "conversation",
                            answer.thread() == null ? null : answer.thread().id(),
                            java.sql.Types.OTHER)
                    .param("listed", answer.listed())
                    .param("model", StoredText.encode(answer.model()))
                    .param("fingerprint", answer.fingerprint())
                    .param("config", answer.runConfig())
                    .param("metadata", Rows.json(answer.metadata()))
                    .param("created", Timestamp.from(answer.created()))
                    .query(Long.class)
                    .single();
        } catch (DuplicateKeyException e) {
            throw new ConversationBusyException();
        }
    }

    private static String title(List<ChatMessage> messages) {
        String text = messages.stream()
                .filter(message -> message.role() == ChatMessage.Role.USER)
                .map(ChatMessage::content)
                .findFirst()
                .orElse("")
                .strip();
        int end = text.offsetByCodePoints(0, Math.min(TITLE_LENGTH, text.codePointCount(0, text.length())));
        return StoredText.encode(text.substring(0, end));
    }

    /** Stores what there is so far. */
    static void update(JdbcClient client, long seq, Draft draft) {
        requireOne(client.sql("UPDATE completion SET content = :content, reasoning = :reasoning,"
                        + " touched_at = clock_timestamp()" + UNFINISHED)
                .param("content", StoredText.encode(draft.content()))
                .param("reasoning", StoredText.encode(draft.reasoning()))
                .param("seq", seq)
                .update());
    }

    /** Keeps the answer from being taken for abandoned. */
    static void touch(JdbcClient client, long seq) {
        requireOne(client.sql("UPDATE completion SET touched_at = clock_timestamp()" + UNFINISHED)
                .param("seq", seq)
                .update());
    }

    /** Stores the whole answer. */
    static void complete(JdbcClient client, long seq, Draft draft, ChatEvent.Finished finished) {
        requireOne(client.sql("UPDATE completion SET status = 'complete', content = :content,"
                        + " reasoning = :reasoning, finish_reason = :reason, prompt_tokens = :prompt,"
                        + " completion_tokens = :completion, reasoning_tokens = :thought,"
                        + " touched_at = clock_timestamp()" + UNFINISHED)
                .param("content", StoredText.encode(draft.content()))
                .param("reasoning", StoredText.encode(draft.reasoning()))
                .param("reason", finished.reason().name().toLowerCase(Locale.ROOT))
                .param("prompt", finished.usage().promptTokens())
                .param("completion", finished.usage().completionTokens())
                .param("thought", finished.usage().reasoningTokens())
                .param("seq", seq)
                .update());
    }

    /** Stores what there is of an answer that will not go on. */
    static void cut(JdbcClient client, long seq, Draft draft) {
        client.sql("UPDATE completion SET status = 'incomplete', content = :content, reasoning = :reasoning,"
                        + " touched_at = clock_timestamp()" + UNFINISHED)
                .param("content", StoredText.encode(draft.content()))
                .param("reasoning", StoredText.encode(draft.reasoning()))
                .param("seq", seq)
                .update();
    }

    private static void requireOne(int rows) {
        if (rows != 1) {
            throw new HistoryGoneException("answer");
        }
    }
}
