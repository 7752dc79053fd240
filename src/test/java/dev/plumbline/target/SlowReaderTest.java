package dev.plumbline.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.engine.SamplingParameters;
import dev.plumbline.model.ChatMessage;
import dev.plumbline.model.ThinkingMode;
import dev.plumbline.model.TinyModel;
import dev.plumbline.precision.PartialProfile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** A reader that takes less than the engine makes. */
class SlowReaderTest {
    private static final int CHOICES = 4;

    @TempDir
    Path folder;

    @Test
    void itsGenerationIsCancelledAndItIsToldAfterWhatWasKeptForIt() throws Exception {
        TargetOptions options = new TargetOptions(
                TinyModel.write(folder).toString(), "reference", 2, null, CHOICES, 1, PartialProfile.empty());
        try (NativeTarget target = new TargetLoader(ModelLocator.standard(), notice -> {}).load(options)) {
            Reader reader = new Reader();
            target.answer(prompt(), choice -> {}).subscribe(reader);
            await().until(() -> target.status().running() == CHOICES);
            await().atMost(Duration.ofMinutes(3)).until(() -> target.status().running() == 0);
            assertThat(reader.failure.get()).isNull();
            reader.requestUnbounded();
            await().until(() -> reader.failure.get() != null);

            assertThat(reader.failure.get())
                    .isInstanceOf(SlowReaderException.class)
                    .hasMessageContaining("reads more slowly");
            assertThat(reader.scores.get()).isGreaterThan(1000).isLessThan(CHOICES * 7000);
        }
    }

    private static ChatPrompt prompt() {
        SamplingParameters sampling = new SamplingParameters(1, 1, 7, 0, 0, Map.of(1, -100f));
        return new ChatPrompt(
                List.of(new ChatMessage(ChatMessage.Role.USER, "go on", null)),
                ThinkingMode.CHAT,
                7000,
                sampling,
                List.of(),
                CHOICES,
                20);
    }

    /** Takes one event and then waits. */
    private static final class Reader extends BaseSubscriber<ChatEvent> {
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final AtomicInteger scores = new AtomicInteger();

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            request(1);
        }

        @Override
        protected void hookOnNext(ChatEvent event) {
            if (event instanceof ChatEvent.Text text) {
                scores.addAndGet(text.scores().size());
            }
        }

        @Override
        protected void hookOnError(Throwable error) {
            failure.set(error);
        }
    }
}
