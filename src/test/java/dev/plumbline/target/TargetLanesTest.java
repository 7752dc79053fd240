package dev.plumbline.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.plumbline.engine.LaneFacts;
import dev.plumbline.engine.LaneKey;
import dev.plumbline.engine.LaneLimits;
import dev.plumbline.engine.LaneMemoryException;
import dev.plumbline.engine.LaneStatus;
import dev.plumbline.engine.SamplingParameters;
import dev.plumbline.model.ChatMessage;
import dev.plumbline.model.ThinkingMode;
import dev.plumbline.model.TinyModel;
import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chats on lanes of their own choice. */
class TargetLanesTest {
    @TempDir
    static Path folder;

    private NativeTarget target;

    @BeforeAll
    static void write() throws IOException {
        TinyModel.write(folder);
    }

    @AfterEach
    void close() {
        target.close();
    }

    @Test
    void everyChoiceSaysWhichLaneItIsOnAndStaysThere() {
        load(LaneLimits.BY_MACHINE);
        LaneKey narrow = lane("narrow@3", Flag.INDEX_TOPK, 2);
        String atStart = target.fingerprint();

        List<LaneKey> named = lanes(prompt(3).on(narrow));
        List<LaneKey> unnamed = lanes(prompt(2));
        LaneFacts facts = target.activate(narrow).block();
        List<LaneKey> afterwards = lanes(prompt(2));

        assertThat(named).hasSize(3).containsOnly(narrow);
        assertThat(unnamed).hasSize(2).allSatisfy(lane -> assertThat(lane.label())
                .isEqualTo(LaneKey.STARTUP));
        assertThat(afterwards).hasSize(2).containsOnly(narrow);
        assertThat(facts.flags()).containsEntry("index_topk", "2");
        assertThat(target.fingerprint()).contains("_narrow@3_").isNotEqualTo(atStart);
        assertThat(target.fingerprint(unnamed.get(0))).isEqualTo(atStart);
    }

    @Test
    void aLaneThatDoesNotFitIsRefusedBeforeTheAnswerBegins() {
        load(LaneLimits.BY_MACHINE);
        long held = target.status().memory().heldBytes();
        target.close();
        load(held);
        List<ChatEvent> heard = new ArrayList<>();
        LaneKey wide = lane("wide@1", Flag.LINEAR_DTYPE, "fp32");

        assertThatThrownBy(() -> target.answer(prompt(1).on(wide), choice -> {})
                        .doOnNext(heard::add)
                        .blockLast())
                .isInstanceOf(LaneMemoryException.class)
                .hasMessageContaining("the lane of wide@1 needs ")
                .hasMessageContaining("--lane-memory");
        assertThat(heard).isEmpty();
        assertThat(lanes(prompt(1))).hasSize(1);
    }

    @Test
    void aReaderWhoLeavesWhileItsLaneIsBuiltLeavesNothingBehind() {
        load(LaneLimits.BY_MACHINE);
        LaneKey narrow = lane("narrow@1", Flag.INDEX_TOPK, 2);
        for (int i = 0; i < 20; i++) {
            target.answer(prompt(2).on(narrow), choice -> {}).subscribe().dispose();
        }

        assertThat(lanes(prompt(1).on(narrow))).containsOnly(narrow);
        await().untilAsserted(() -> {
            assertThat(target.status().running()).isZero();
            assertThat(target.status().waiting()).isZero();
            assertThat(target.status().lanes()).anySatisfy(lane -> {
                assertThat(lane.key()).isEqualTo(narrow);
                assertThat(lane.state()).isEqualTo(LaneStatus.State.IDLE);
            });
        });
    }

    private void load(long laneMemory) {
        TargetOptions options = new TargetOptions(
                folder.toString(),
                "reference",
                1,
                512,
                4,
                16,
                PartialProfile.empty(),
                new LaneLimits(laneMemory, Duration.ofMinutes(10)));
        target = new TargetLoader(ModelLocator.standard(), notice -> {}).load(options);
    }

    private LaneKey lane(String label, Flag flag, Object value) {
        return new LaneKey(label, target.active().profile().with(PartialProfile.of(flag, value)));
    }

    private List<LaneKey> lanes(ChatPrompt prompt) {
        return target.answer(prompt, choice -> {})
                .ofType(ChatEvent.Started.class)
                .map(ChatEvent.Started::lane)
                .collectList()
                .block(Duration.ofSeconds(60));
    }

    private static ChatPrompt prompt(int choices) {
        return new ChatPrompt(
                List.of(new ChatMessage(ChatMessage.Role.USER, "go on", null)),
                ThinkingMode.CHAT,
                5,
                SamplingParameters.greedy(),
                List.of(),
                choices,
                -1);
    }
}
