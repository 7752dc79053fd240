package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.NotFoundException;
import com.openai.errors.UnauthorizedException;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import dev.plumbline.testing.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenAI's own client against the running server. */
class OpenAiClientTest {
    private static TestServer server;
    private static OpenAIClient client;
    private static String model;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        server = TestServer.serving(folder, 8, 64);
        model = server.target().name();
        client = client(TestServer.KEY);
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @Test
    void aCompletionIsComplete() {
        ChatCompletion completion =
                client.chat().completions().create(params("Hello", 1).build());

        completion.validate();
        assertThat(completion.id()).startsWith("chatcmpl-");
        assertThat(completion.model()).isEqualTo(model);
        assertThat(completion.systemFingerprint())
                .hasValueSatisfying(f -> assertThat(f).contains("reference"));
        assertThat(completion.choices()).hasSize(1);
        ChatCompletion.Choice choice = completion.choices().get(0);
        assertThat(choice.finishReason()).isEqualTo(ChatCompletion.Choice.FinishReason.LENGTH);
        assertThat(choice.message().content())
                .hasValueSatisfying(c -> assertThat(c).isNotEmpty());
        assertThat(completion.usage()).hasValueSatisfying(usage -> {
            assertThat(usage.completionTokens()).isEqualTo(24);
            assertThat(usage.totalTokens()).isEqualTo(usage.promptTokens() + 24);
        });
    }

    @Test
    void aStreamSaysWhatTheWholeAnswerSays() {
        ChatCompletion whole =
                client.chat().completions().create(params("Tell me", 7).build());
        List<ChatCompletionChunk> chunks = stream(params("Tell me", 7)
                .streamOptions(
                        ChatCompletionStreamOptions.builder().includeUsage(true).build()));

        assertThat(text(chunks))
                .isEqualTo(whole.choices().get(0).message().content().orElseThrow());
        assertThat(chunks).allSatisfy(ChatCompletionChunk::validate);
        assertThat(chunks)
                .extracting(ChatCompletionChunk::id)
                .containsOnly(chunks.get(0).id());
        assertThat(chunks)
                .extracting(ChatCompletionChunk::created)
                .containsOnly(chunks.get(0).created());
        assertThat(chunks.get(0).choices().get(0).delta().role())
                .contains(ChatCompletionChunk.Choice.Delta.Role.ASSISTANT);
        ChatCompletionChunk last = chunks.get(chunks.size() - 1);
        assertThat(last.choices()).isEmpty();
        assertThat(last.usage()).isEqualTo(whole.usage());
        assertThat(chunks.get(chunks.size() - 2).choices().get(0).finishReason())
                .contains(ChatCompletionChunk.Choice.FinishReason.LENGTH);
    }

    @Test
    void twentyConcurrentStreamsEqualTheirSoloRuns() {
        List<String> solo =
                IntStream.range(0, 20).mapToObj(i -> text(stream(question(i)))).toList();
        var threads = Executors.newFixedThreadPool(20);
        List<CompletableFuture<String>> together = IntStream.range(0, 20)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> text(stream(question(i))), threads))
                .toList();

        assertThat(together).extracting(CompletableFuture::join).isEqualTo(solo);
        threads.shutdown();
    }

    @Test
    void aStopStringEndsTheAnswerAndIsNotPartOfIt() {
        String free = text(stream(params("Go on", 3)));
        String stop = free.substring(9, 12);
        String before = free.substring(0, free.indexOf(stop));

        List<ChatCompletionChunk> chunks = stream(params("Go on", 3).stop(stop));

        assertThat(text(chunks)).isEqualTo(before);
        assertThat(chunks.get(chunks.size() - 1).choices().get(0).finishReason())
                .contains(ChatCompletionChunk.Choice.FinishReason.STOP);
    }

    @Test
    void aClosedStreamEndsTheGenerationAtOnce() {
        StreamResponse<ChatCompletionChunk> stream = client.chat()
                .completions()
                .createStreaming(
                        params("Never end", 1).maxCompletionTokens(8000).build());
        Iterator<ChatCompletionChunk> chunks = stream.stream().iterator();
        chunks.next();
        chunks.next();
        assertThat(server.target().status().running()).isEqualTo(1);

        stream.close();

        await().untilAsserted(
                        () -> assertThat(server.target().status().running()).isZero());
        assertThat(server.target().status().pools())
                .filteredOn(pool -> !pool.name().equals("snapshots"))
                .isNotEmpty()
                .allSatisfy(pool -> assertThat(pool.usedBytes()).isZero());
    }

    @Test
    void errorsBecomeTheClientsOwnExceptions() {
        assertThatThrownBy(() -> client.chat()
                        .completions()
                        .create(params("Hi", 1).model("gpt-9").build()))
                .isInstanceOf(NotFoundException.class)
                .hasMessageContaining("gpt-9");
        assertThatThrownBy(() -> client.chat()
                        .completions()
                        .create(params("Hi", 1).temperature(3).build()))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("temperature");
        OpenAIClient stranger = client("wrong");
        assertThatThrownBy(() -> stranger.models().list()).isInstanceOf(UnauthorizedException.class);
        stranger.close();
    }

    @Test
    void theModelIsListed() {
        assertThat(client.models().list().data()).singleElement().satisfies(found -> {
            found.validate();
            assertThat(found.id()).isEqualTo(model);
        });
        assertThat(client.models().retrieve(model).ownedBy()).isEqualTo("plumbline");
    }

    private static ChatCompletionCreateParams.Builder question(int i) {
        return params("Question number " + i + " " + "and so on ".repeat(i * 3), i);
    }

    private static ChatCompletionCreateParams.Builder params(String question, long seed) {
        return ChatCompletionCreateParams.builder()
                .model(model)
                .addUserMessage(question)
                .seed(seed)
                .maxCompletionTokens(24);
    }

    private static List<ChatCompletionChunk> stream(ChatCompletionCreateParams.Builder params) {
        try (StreamResponse<ChatCompletionChunk> stream =
                client.chat().completions().createStreaming(params.build())) {
            return stream.stream().toList();
        }
    }

    private static String text(List<ChatCompletionChunk> chunks) {
        StringBuilder text = new StringBuilder();
        chunks.stream()
                .flatMap(chunk -> chunk.choices().stream())
                .forEach(choice -> text.append(choice.delta().content().orElse("")));
        return text.toString();
    }

    private static OpenAIClient client(String key) {
        return OpenAIOkHttpClient.builder()
                .baseUrl(server.url() + "/v1")
                .apiKey(key)
                .maxRetries(0)
                .build();
    }
}
