package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.chat.completions.ChatCompletionTokenLogprob;
import dev.plumbline.testing.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several choices, log-probabilities, penalties and bias, through OpenAI's own client. */
class ChoicesAndLogprobsTest {
    private static final int TOKENS = 24;

    private static TestServer server;
    private static OpenAIClient client;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        server = TestServer.serving(folder, 4, 16);
        client = OpenAIOkHttpClient.builder()
                .baseUrl(server.url() + "/v1")
                .apiKey(TestServer.KEY)
                .maxRetries(0)
                .build();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @Test
    void choicesDifferAndEachIsWhatItIsAloneAndInAStream() {
        ChatCompletion three = create(params(5).n(3));
        ChatCompletion one = create(params(5));
        List<ChatCompletionChunk> chunks = stream(params(5)
                .n(3)
                .streamOptions(
                        ChatCompletionStreamOptions.builder().includeUsage(true).build()));

        three.validate();
        assertThat(three.choices()).extracting(ChatCompletion.Choice::index).containsExactly(0L, 1L, 2L);
        assertThat(three.choices()).extracting(ChoicesAndLogprobsTest::text).doesNotHaveDuplicates();
        assertThat(text(three.choices().get(0))).isEqualTo(text(one.choices().get(0)));
        three.choices()
                .forEach(choice -> assertThat(text(chunks, choice.index())).isEqualTo(text(choice)));
        three.usage()
                .ifPresentOrElse(
                        usage -> {
                            assertThat(usage.completionTokens()).isEqualTo(3 * TOKENS);
                            assertThat(usage.promptTokens())
                                    .isEqualTo(one.usage().orElseThrow().promptTokens());
                            assertThat(usage.totalTokens()).isEqualTo(usage.promptTokens() + 3 * TOKENS);
                        },
                        () -> assertThat(three.usage()).isPresent());
        assertThat(chunks.get(chunks.size() - 1).usage()).isEqualTo(three.usage());
        assertThat(chunks.get(chunks.size() - 1).choices()).isEmpty();
    }

    @Test
    void streamedChoicesComeMixedAndEachIsWhole() {
        // Long answers: on a busy machine a short one could end before the last choice has begun.
        List<ChatCompletionChunk.Choice> choices = stream(params(9).n(4).maxCompletionTokens(200)).stream()
                .flatMap(chunk -> chunk.choices().stream())
                .toList();

        Map<Long, List<ChatCompletionChunk.Choice>> byIndex =
                choices.stream().collect(Collectors.groupingBy(ChatCompletionChunk.Choice::index));
        assertThat(byIndex).containsOnlyKeys(0L, 1L, 2L, 3L);
        byIndex.values().forEach(own -> {
            assertThat(own.get(0).delta().role()).isPresent();
            assertThat(own).filteredOn(c -> c.finishReason().isPresent()).hasSize(1);
            assertThat(own.get(own.size() - 1).finishReason()).isPresent();
        });
        long firstEnd = choices.indexOf(choices.stream()
                .filter(c -> c.finishReason().isPresent())
                .findFirst()
                .orElseThrow());
        assertThat(choices.subList(0, (int) firstEnd))
                .as("chunks before the first choice ends")
                .extracting(ChatCompletionChunk.Choice::index)
                .contains(0L, 1L, 2L, 3L);
    }

    @Test
    void aChoiceThatStopsLeavesTheOthersAlone() {
        ChatCompletion free = create(params(21).n(3));
        String stop = text(free.choices().get(1)).substring(6, 9);

        ChatCompletion cut = create(params(21).n(3).stop(stop));

        for (int i = 0; i < 3; i++) {
            String whole = text(free.choices().get(i));
            int at = whole.indexOf(stop);
            assertThat(text(cut.choices().get(i))).isEqualTo(at < 0 ? whole : whole.substring(0, at));
        }
        assertThat(cut.choices().get(1).finishReason()).isEqualTo(ChatCompletion.Choice.FinishReason.STOP);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 20})
    void logprobsAreThoseOfTheText(int top) {
        ChatCompletion whole = create(params(3).logprobs(true).topLogprobs(top));
        List<ChatCompletionChunk> chunks = stream(params(3).logprobs(true).topLogprobs(top));

        List<ChatCompletionTokenLogprob> entries = entries(whole);
        assertThat(entries).hasSize(TOKENS);
        assertThat(spelled(entries)).isEqualTo(text(whole.choices().get(0)));
        assertThat(whole.choices().get(0).logprobs().orElseThrow().refusal()).isEmpty();
        assertThat(entries).allSatisfy(entry -> {
            assertThat(entry.logprob()).isLessThanOrEqualTo(0);
            assertThat(entry.topLogprobs()).hasSize(top);
            assertThat(entry.topLogprobs()).isSortedAccordingTo((a, b) -> Double.compare(b.logprob(), a.logprob()));
            assertThat(entry.bytes()).isPresent();
        });
        assertThat(streamed(chunks)).isEqualTo(entries);
        assertThat(chunks.get(chunks.size() - 1).choices().get(0).finishReason())
                .contains(ChatCompletionChunk.Choice.FinishReason.LENGTH);
    }

    @Test
    void everyChunkCarriesTheScoresOfItsOwnText() {
        for (int seed = 0; seed < 4; seed++) {
            List<ChatCompletionChunk> chunks =
                    stream(params(seed).temperature(2).maxCompletionTokens(120).logprobs(true));

            ByteArrayOutputStream scored = new ByteArrayOutputStream();
            StringBuilder text = new StringBuilder();
            for (ChatCompletionChunk chunk : chunks) {
                ChatCompletionChunk.Choice choice = chunk.choices().get(0);
                text.append(choice.delta().content().orElse(""));
                choice.logprobs().flatMap(l -> l.content()).ifPresent(e -> e.forEach(entry -> bytes(entry, scored)));
                assertThat(scored.toString(StandardCharsets.UTF_8)).isEqualTo(text.toString());
            }
        }
    }

    @Test
    void aTokenThatIsPartOfACharacterHasItsBytesAndAReplacement() {
        List<ChatCompletionTokenLogprob> entries =
                entries(create(params(1).temperature(2).maxCompletionTokens(200).logprobs(true)));

        assertThat(entries)
                .filteredOn(entry -> entry.token().equals("\uFFFD"))
                .isNotEmpty()
                .allSatisfy(
                        entry -> assertThat(entry.bytes().orElseThrow().get(0)).isGreaterThanOrEqualTo(0x80));
    }

    @Test
    void scoresEndWhereAStopStringCuts() {
        String free = text(create(params(3)).choices().get(0));
        String stop = free.substring(9, 12);

        for (int top : new int[] {0, 2}) {
            ChatCompletion cut = create(params(3).stop(stop).logprobs(true).topLogprobs(top));
            assertThat(text(cut.choices().get(0))).startsWith(spelled(entries(cut)));
            assertThat(streamed(stream(params(3).stop(stop).logprobs(true).topLogprobs(top))))
                    .isEqualTo(entries(cut));
        }
    }

    @Test
    void aGreedyAnswersTokenIsTheMostProbableOne() {
        assertThat(entries(create(params(1).temperature(0).logprobs(true).topLogprobs(2))))
                .allSatisfy(entry -> {
                    assertThat(entry.topLogprobs().get(0).token()).isEqualTo(entry.token());
                    assertThat(entry.topLogprobs().get(0).logprob()).isEqualTo(entry.logprob());
                });
    }

    @Test
    void biasForcesAndForbidsTokens() {
        int forced = server.target().tokenizer().encode("a")[0];
        ChatCompletion all = create(params(1).temperature(0).logitBias(bias(forced, 100)));
        assertThat(text(all.choices().get(0))).isEqualTo("a".repeat(TOKENS));

        ChatCompletion free = create(params(1).temperature(0).logprobs(true));
        String first = entries(free).get(0).token();
        int id = server.target().tokenizer().encode(first)[0];
        ChatCompletion without = create(params(1).temperature(0).logprobs(true).logitBias(bias(id, -100)));
        assertThat(entries(without))
                .extracting(ChatCompletionTokenLogprob::token)
                .doesNotContain(first);
    }

    @Test
    void penaltiesKeepAGreedyAnswerFromRepeatingItself() {
        int forced = server.target().tokenizer().encode("a")[0];
        // given a token that leads by less than the penalties can take away over 24 tokens
        ChatCompletion plain = create(params(1).temperature(0).logitBias(bias(forced, 20)));
        ChatCompletion frequency =
                create(params(1).temperature(0).logitBias(bias(forced, 20)).frequencyPenalty(2));
        ChatCompletion presence = create(params(1).temperature(0).presencePenalty(2));

        assertThat(text(plain.choices().get(0))).isEqualTo("a".repeat(TOKENS));
        assertThat(text(frequency.choices().get(0))).startsWith("a").isNotEqualTo("a".repeat(TOKENS));
        assertThat(text(presence.choices().get(0))).isNotEmpty();
    }

    @Test
    void whatIsOnlyAcceptedChangesNothing() {
        ChatCompletion plain = create(params(4));
        ChatCompletion decorated = create(params(4)
                .user("someone")
                .metadata(ChatCompletionCreateParams.Metadata.builder()
                        .putAdditionalProperty("run", JsonValue.from("7"))
                        .build())
                .promptCacheKey("k")
                .safetyIdentifier("s")
                .serviceTier(ChatCompletionCreateParams.ServiceTier.AUTO)
                .store(false));

        assertThat(text(decorated.choices().get(0)))
                .isEqualTo(text(plain.choices().get(0)));
    }

    private static ChatCompletionCreateParams.Builder params(long seed) {
        return ChatCompletionCreateParams.builder()
                .model(server.target().name())
                .addUserMessage("Tell me")
                .seed(seed)
                .maxCompletionTokens(TOKENS);
    }

    private static ChatCompletionCreateParams.LogitBias bias(int token, int value) {
        return ChatCompletionCreateParams.LogitBias.builder()
                .putAdditionalProperty(String.valueOf(token), JsonValue.from(value))
                .build();
    }

    private static ChatCompletion create(ChatCompletionCreateParams.Builder params) {
        return client.chat().completions().create(params.build());
    }

    private static List<ChatCompletionChunk> stream(ChatCompletionCreateParams.Builder params) {
        try (StreamResponse<ChatCompletionChunk> stream =
                client.chat().completions().createStreaming(params.build())) {
            return stream.stream().peek(ChatCompletionChunk::validate).toList();
        }
    }

    private static List<ChatCompletionTokenLogprob> entries(ChatCompletion completion) {
        return completion.choices().get(0).logprobs().orElseThrow().content().orElseThrow();
    }

    private static List<ChatCompletionTokenLogprob> streamed(List<ChatCompletionChunk> chunks) {
        return chunks.stream()
                .flatMap(chunk -> chunk.choices().stream())
                .flatMap(choice -> choice.logprobs().stream())
                .flatMap(logprobs -> logprobs.content().map(List::stream).orElse(Stream.empty()))
                .toList();
    }

    private static String spelled(List<ChatCompletionTokenLogprob> entries) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        entries.forEach(entry -> bytes(entry, bytes));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static void bytes(ChatCompletionTokenLogprob entry, ByteArrayOutputStream out) {
        entry.bytes().orElse(List.of()).forEach(b -> out.write(b.intValue()));
    }

    private static String text(ChatCompletion.Choice choice) {
        return choice.message().content().orElseThrow();
    }

    private static String text(List<ChatCompletionChunk> chunks, long index) {
        return chunks.stream()
                .flatMap(chunk -> chunk.choices().stream())
                .filter(choice -> choice.index() == index)
                .map(choice -> choice.delta().content().orElse(""))
                .collect(Collectors.joining());
    }
}
