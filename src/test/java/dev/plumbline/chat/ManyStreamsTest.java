package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.http.StreamResponse;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.plumbline.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two hundred clients at once: nobody is refused, nobody gets another's answer, nobody gets another arithmetic. */
class ManyStreamsTest {
    private static final int STREAMS = 200;
    private static final int TOKENS = 16;

    private static TestServer server;
    private static OpenAIClient client;

    private record Streamed(String text, String end, long firstNanos) {}

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        server = TestServer.serving(folder, 16, 256);
        client = OpenAIOkHttpClient.builder()
                .baseUrl(server.url() + "/v1")
                .apiKey(TestServer.KEY)
                .maxRetries(0)
                .timeout(Duration.ofMinutes(5))
                .build();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @Test
    void everyStreamIsWholeAndEqualsItsSoloRun() throws IOException {
        List<String> solo =
                IntStream.range(0, STREAMS).mapToObj(i -> stream(i).text()).toList();
        ExecutorService threads = Executors.newFixedThreadPool(STREAMS);
        CountDownLatch all = new CountDownLatch(STREAMS);
        List<CompletableFuture<Streamed>> together = IntStream.range(0, STREAMS)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> {
                            all.countDown();
                            awaitAll(all);
                            return stream(i);
                        },
                        threads))
                .toList();
        List<Streamed> streamed = together.stream().map(CompletableFuture::join).toList();
        threads.shutdown();

        long slowest = streamed.stream().mapToLong(Streamed::firstNanos).max().orElseThrow();
        Runtime runtime = Runtime.getRuntime();
        System.out.printf(
                "%d streams at once: slowest first text %d ms, heap in use %d MiB, resident at most%s%n",
                STREAMS, slowest / 1_000_000, (runtime.totalMemory() - runtime.freeMemory()) >> 20, peakMemory());
        assertThat(streamed).extracting(Streamed::text).isEqualTo(solo);
        assertThat(streamed).extracting(Streamed::end).containsOnly("length");
        assertThat(solo).doesNotHaveDuplicates();
        assertThat(server.target().status().running()).isZero();
    }

    private static Streamed stream(int i) {
        ChatCompletionCreateParams params = ChatCompletionCreateParams.builder()
                .model(server.target().name())
                .addUserMessage("Question " + i)
                .seed(i)
                .maxCompletionTokens(TOKENS)
                .build();
        long begun = System.nanoTime();
        long first = 0;
        StringBuilder text = new StringBuilder();
        String end = null;
        try (StreamResponse<ChatCompletionChunk> stream =
                client.chat().completions().createStreaming(params)) {
            Iterator<ChatCompletionChunk> chunks = stream.stream().iterator();
            while (chunks.hasNext()) {
                ChatCompletionChunk.Choice choice = chunks.next().choices().get(0);
                text.append(choice.delta().content().orElse(""));
                first = first == 0 && !text.isEmpty() ? System.nanoTime() - begun : first;
                end = choice.finishReason().map(Object::toString).orElse(end);
            }
        }
        return new Streamed(text.toString(), end, first);
    }

    /** Of client and server, which share this process. */
    private static String peakMemory() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return " unknown";
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .map(line -> line.substring(6).replaceAll("\\s+", " "))
                .findFirst()
                .orElse(" unknown");
    }

    private static void awaitAll(CountDownLatch all) {
        try {
            all.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
