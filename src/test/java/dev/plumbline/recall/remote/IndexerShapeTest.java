package dev.plumbline.recall.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** How the layout of selections is found out, and how events are read. */
class IndexerShapeTest {
    private static final int PROMPT = 24;

    /** Ids that the fake gives for a prompt. */
    private static int[] ids(FakeSglang sglang, int prompt, int answer) {
        JsonNode body = JsonMapper.shared()
                .createObjectNode()
                .set(
                        "input_ids",
                        JsonMapper.shared()
                                .valueToTree(IntStream.range(0, prompt).toArray()))
                .set("sampling_params", JsonMapper.shared().createObjectNode().put("max_new_tokens", answer));
        List<String> events = sglang.answer(body);
        String base64 = JsonMapper.shared()
                .readTree(events.get(events.size() - 2))
                .at("/meta_info/indexer_topk")
                .asString();
        IntStream.Builder ids = IntStream.builder();
        TopkIds bytes = new TopkIds(ids::add);
        bytes.write(Base64.getDecoder().decode(base64), 0, Base64.getDecoder().decode(base64).length);
        assertThat(bytes.complete()).isTrue();
        return ids.build().toArray();
    }

    private static FakeSglang sglang(int layers, int topk, int ratio) {
        return new FakeSglang(layers, topk, ratio, (position, layer) -> IntStream.range(0, topk)
                .map(i -> (position + 1) / ratio - 1 - i)
                .boxed()
                .toList());
    }

    @ParameterizedTest
    @CsvSource({"21, 512, 4", "1, 8, 4", "3, 2, 4", "61, 2048, 1", "2, 16, 8"})
    void aShortPromptShowsLayersBudgetAndRatio(int layers, int topk, int ratio) {
        assertThat(IndexerShape.of(ids(sglang(layers, topk, ratio), PROMPT, 1), PROMPT, 1))
                .isEqualTo(new IndexerShape(layers, topk, ratio));
        assertThat(IndexerShape.of(ids(sglang(layers, topk, ratio), PROMPT, 3), PROMPT, 3))
                .isEqualTo(new IndexerShape(layers, topk, ratio));
    }

    @Test
    void otherLayoutsAreRefused() {
        int[] good = ids(sglang(2, 8, 4), PROMPT, 1);
        int[] shifted = IntStream.range(0, good.length)
                .map(i -> good[(i + 1) % good.length])
                .toArray();
        int[] future = good.clone();
        future[future.length - 16] = 40;

        assertThatThrownBy(() -> IndexerShape.of(new int[] {1, 2, 3}, PROMPT, 1))
                .hasMessageContaining("no known layout");
        assertThatThrownBy(() -> IndexerShape.of(new int[0], PROMPT, 1)).hasMessageContaining("no known layout");
        assertThatThrownBy(() -> IndexerShape.of(
                        IntStream.range(0, good.length).map(i -> -1).toArray(), PROMPT, 1))
                .hasMessageContaining("no id in all");
        assertThatThrownBy(() -> IndexerShape.of(shifted, PROMPT, 1)).hasMessageContaining("no known layout");
        assertThatThrownBy(() -> IndexerShape.of(future, PROMPT, 1)).hasMessageContaining("the entry 40 for token 23");
    }

    @ParameterizedTest
    @CsvSource({
        "'data: {\"a\":1}\\n\\ndata: {\"b\":2}\\n\\ndata: [DONE]\\n\\n', '{\"a\":1}{\"b\":2}'",
        "'data:{\"a\":1}\\r\\n\\r\\ndata:[DONE]', '{\"a\":1}'",
        "': ping\\n\\nevent: x\\ndata: {\"a\":\"data: b\"}\\n\\n', '{\"a\":\"data: b\"}'",
        "'id: 7\\ndata: {}\\n\\n', '{}'"
    })
    void eventsAreReadAsTheirData(String events, String data) throws IOException {
        String text = events.replace("\\n", "\n").replace("\\r", "\r");
        EventJson in = new EventJson(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), 1000);

        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).replaceAll("\\s+(?=[{]|$)", ""))
                .isEqualTo(data);
    }

    @Test
    void aStreamIsNotReadBeyondWhatIsDue() {
        EventJson in =
                new EventJson(new ByteArrayInputStream("data: {\"a\":1234}".getBytes(StandardCharsets.UTF_8)), 10);

        assertThatThrownBy(in::readAllBytes)
                .isInstanceOf(ServerFailure.class)
                .hasMessageContaining("more than 10 bytes");
    }
}
