package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.precision.PartialProfile;
import dev.plumbline.runconfig.Pins;
import dev.plumbline.runconfig.Source;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What options and variables of {@code serve} pin. */
class PinOptionsTest {
    private static final PartialProfile NONE = PartialProfile.empty();

    private static PinOptions options(String... arguments) {
        return CommandLine.populateCommand(new PinOptions(), arguments);
    }

    @Test
    void anOptionGoesBeforeAVariable() {
        Map<String, String> environment = Map.of("PLUMBLINE_RUN_CONFIG", "fp8-index");

        Pins both = options("--run-config", "fp32-index@2").pins(NONE, environment);
        assertThat(both.config().ref()).hasToString("fp32-index@2");
        assertThat(both.config().source()).isEqualTo(Source.COMMAND_LINE);
        Pins variable = options().pins(NONE, environment);
        assertThat(variable.config().ref()).hasToString("fp8-index");
        assertThat(variable.config().source()).isEqualTo(Source.ENVIRONMENT);
        assertThat(options().pins(NONE, Map.of("PLUMBLINE_RUN_CONFIG", " ")).config())
                .isNull();
    }

    @Test
    void flagsComeFromOptionsAndVariables() {
        Pins pins = options()
                .pins(
                        PartialProfile.parse(Map.of("index_topk", 1024)),
                        Map.of("PLUMBLINE_OVERRIDE_INDEX_TOPK", "3x", "PLUMBLINE_OVERRIDE_GRAPHS", "off", "PATH", "x"));

        assertThat(pins.commandLine().flags()).isEqualTo(Map.of("index_topk", "1024"));
        assertThat(pins.environment().flags()).isEqualTo(Map.of("index_topk", "3x", "graphs", "off"));
    }

    @Test
    void wrongOnesAreNamed() {
        assertThatThrownBy(() -> options().pins(NONE, Map.of("PLUMBLINE_OVERRIDE_TOPK", "1")))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("PLUMBLINE_OVERRIDE_TOPK names no flag")
                .hasMessageContaining("index_topk");
        assertThatThrownBy(() -> options().pins(NONE, Map.of("PLUMBLINE_OVERRIDE_KV_DTYPE", "fp7")))
                .hasMessageContaining("PLUMBLINE_OVERRIDE_*: kv_dtype is fp7")
                .hasMessageContaining("fp32, bf16, fp8");
        assertThatThrownBy(() -> options("--run-config", "Big").pins(NONE, Map.of()))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("--run-config")
                .hasMessageContaining("NAME@VERSION");
    }
}
