package dev.plumbline.usage;

import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of {@code key_usage}. */
final class UsageTable {
    private UsageTable() {}

    static void add(JdbcClient client, Account account, Usage usage) {
        client.sql("INSERT INTO key_usage AS u (owner, key, hour, requests, errors, prompt_tokens, completion_tokens)"
                        + " VALUES (:owner, :key, date_trunc('hour', clock_timestamp(), 'UTC'),"
                        + " :requests, :errors, :prompt, :completion)"
                        + " ON CONFLICT (owner, key, hour) DO UPDATE SET requests = u.requests + excluded.requests,"
                        + " errors = u.errors + excluded.errors,"
                        + " prompt_tokens = u.prompt_tokens + excluded.prompt_tokens,"
                        + " completion_tokens = u.completion_tokens + excluded.completion_tokens")
                .param("owner", account.owner())
                .param("key", account.key())
                .param("requests", usage.requests())
                .param("errors", usage.errors())
                .param("prompt", usage.promptTokens())
                .param("completion", usage.completionTokens())
                .update();
    }
}
