package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class RunConfigTokensTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RunConfigTokens tokens = new RunConfigTokens(registry);

    @Test
    void everyRunConfigHasItsOwnCounters() {
        tokens.of("baseline@1").completion().increment(3);
        tokens.of("fp8-index@1").completion().increment();
        tokens.of("baseline@1").prompt().increment(10);

        assertThat(count("completion", "baseline@1")).isEqualTo(3);
        assertThat(count("completion", "fp8-index@1")).isEqualTo(1);
        assertThat(count("prompt", "baseline@1")).isEqualTo(10);
    }

    @Test
    void beyondTheLimitTheyShareOne() {
        for (int version = 1; version <= 3 * RunConfigTokens.MOST; version++) {
            tokens.of("many@" + version).completion().increment();
        }
        tokens.of("many@1").completion().increment();

        assertThat(registry.find("plumbline.tokens").tag("kind", "completion").counters())
                .hasSize(RunConfigTokens.MOST + 1);
        assertThat(count("completion", "many@1")).isEqualTo(2);
        assertThat(count("completion", RunConfigTokens.OTHERS)).isEqualTo(2 * RunConfigTokens.MOST);
    }

    private double count(String kind, String runConfig) {
        return registry.get("plumbline.tokens")
                .tag("kind", kind)
                .tag("run_config", runConfig)
                .counter()
                .count();
    }
}
