package dev.plumbline.runconfig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.conversation.PageRequest;
import dev.plumbline.database.Database;
import dev.plumbline.testing.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What comes with the program is what a new database holds. */
class BuiltInRunConfigsTest {

    @Test
    void aNewDatabaseHoldsThemAndNoOthers() {
        try (Database database = TestDatabase.empty()) {
            RunConfigs stored = new RunConfigs(database);

            List<RunConfig> all =
                    stored.page(new PageRequest(100, null, true)).block().items();

            assertThat(all).extracting(RunConfig::name).containsExactlyInAnyOrderElementsOf(BuiltInRunConfigs.names());
            assertThat(all).allSatisfy(config -> {
                assertThat(config.id()).isEqualTo(BuiltInRunConfigs.id(config.name()));
                assertThat(BuiltInRunConfigs.find(config.ref()).orElseThrow().sameAs(config))
                        .as("%s is as the program has it", config)
                        .isTrue();
            });
        }
    }

    @Test
    void anotherVersionOrNameIsNoneOfThem() {
        assertThat(BuiltInRunConfigs.find(new RunConfigRef("baseline", null))).isPresent();
        assertThat(BuiltInRunConfigs.find(new RunConfigRef("baseline", 2))).isEmpty();
        assertThat(BuiltInRunConfigs.find(new RunConfigRef("somebody-elses", null)))
                .isEmpty();
    }
}
