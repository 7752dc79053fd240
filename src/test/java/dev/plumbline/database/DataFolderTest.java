package dev.plumbline.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.plumbline.testing.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data folders as machines and people make them. */
class DataFolderTest {
    private static final String NO_ROOT = "needs root, which these tests do not have here";

    @TempDir
    Path folder;

    @Test
    void twoServersOnOneFolderAreToldInOneSentence() {
        try (Database first = TestDatabase.start(folder)) {
            assertThat(first.up()).isTrue();
            assertThatThrownBy(() -> TestDatabase.start(folder))
                    .isInstanceOf(DatabaseException.class)
                    .hasMessage("the data folder " + folder + " is in use by process "
                            + ProcessHandle.current().pid() + "; --data chooses another");
        }
    }

    @Test
    void anUnusualNameIsAFolderLikeAnyOther() {
        try (Database database = TestDatabase.start(folder.resolve("it's  мой \"data\" é/1"))) {
            assertThat(database.up()).isTrue();
        }
    }

    @Test
    void aPortThatSomebodyElseHasAtTheNextStartIsChangedForAnother() throws IOException {
        TestDatabase.start(folder).close();
        int kept = Integer.parseInt(Files.readString(folder.resolve("port")).strip());
        try (ServerSocket stranger = new ServerSocket(kept, 1, InetAddress.getLoopbackAddress());
                Database database = TestDatabase.start(folder)) {
            assertThat(database.up()).isTrue();
            assertThat(Files.readString(folder.resolve("port")).strip()).isNotEqualTo(String.valueOf(kept));
            assertThat(stranger.isClosed()).isFalse();
        }
    }

    @Test
    void aDatabaseOfAnotherVersionIsLeftAloneAndNamed() throws IOException {
        TestDatabase.start(folder).close();
        Files.writeString(folder.resolve("postgres/PG_VERSION"), "16\n");

        assertThatThrownBy(() -> TestDatabase.start(folder))
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining("was made by PostgreSQL 16 and this build has 17");
    }

    @Test
    void aStartThatWasCutLeavesNothingThatPreventsTheNext() throws IOException {
        Files.createDirectories(folder.resolve("postgres.new/base"));
        Files.writeString(folder.resolve("postgres.new/PG_VERSION"), "17\n");
        try (Database database = TestDatabase.start(folder)) {
            assertThat(database.up()).isTrue();
        }
        assertThat(folder.resolve("postgres.new")).doesNotExist();
    }

    @Test
    void aFileInPlaceOfTheFolderIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");
        assertThatThrownBy(() -> TestDatabase.start(file))
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining("cannot use the data folder " + file);
    }

    @Test
    void whyPostgresDoesNotStartIsSaid() throws IOException {
        TestDatabase.start(folder).close();
        Files.writeString(folder.resolve("postgres/postgresql.conf"), "no_such_setting = 1\n");

        assertThatThrownBy(() -> TestDatabase.start(folder))
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining("PostgreSQL does not start: ")
                .hasMessageContaining("postgresql.conf")
                .hasMessageContaining(folder.resolve("postgres.log").toString());
    }

    @Test
    void rootWithoutUserNamespacesRunsItAsNobody() throws Exception {
        assumeTrue(isRoot(), NO_ROOT);
        Path data = folder.resolve("data");
        assertThat(startWith("setpriv", data)).isEqualTo("rows: 1");
        assertThat(Files.getAttribute(data.resolve("postgres/base"), "unix:uid"))
                .isEqualTo(65_534);
        // A folder goes from one way to the other and back.
        assertThat(startWith("unshare", data)).isEqualTo("rows: 2");
        assertThat(Files.getAttribute(data.resolve("postgres/base"), "unix:uid"))
                .isEqualTo(0);
        assertThat(startWith("setpriv", data)).isEqualTo("rows: 3");
        assertThat(startWith("true", data)).startsWith("refused: PostgreSQL does not run as root");
    }

    /** Starts in a process that finds nothing on its path but one program and what PostgreSQL needs. */
    private String startWith(String program, Path data) throws Exception {
        Path path = Files.createDirectories(folder.resolve("path-" + program));
        for (String name : new String[] {program, "true", "sh"}) {
            if (Files.notExists(path.resolve(name))) {
                Files.createSymbolicLink(path.resolve(name), which(name));
            }
        }
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StartAndStop.class.getName(),
                        data.toString(),
                        TestDatabase.cache().toString())
                .redirectErrorStream(true);
        builder.environment().put("PATH", path.toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return said.lines()
                .filter(line -> line.matches("(rows|refused): .*"))
                .findFirst()
                .orElse(said);
    }

    private static Path which(String name) {
        for (String folder : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(folder, name))) {
                return Path.of(folder, name);
            }
        }
        throw new IllegalStateException("no " + name + " on the path");
    }

    private static boolean isRoot() throws IOException {
        return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }
}
