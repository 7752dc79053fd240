package dev.plumbline.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets as the database keeps them. */
class SecretBoxTest {
    private static final String PLACE = "target.key/7";
    private static final String SECRET = "sk-ä 🔑 1234";

    @TempDir
    Path folder;

    private final SecretBox box = box("00".repeat(32));

    private static SecretBox box(String digits) {
        byte[] key = SecretKey.parse(digits);
        return new SecretBox(() -> key);
    }

    @Test
    void whatIsSealedOpensAndTellsNothing() {
        byte[] sealed = box.seal(PLACE, SECRET);

        assertThat(box.open(PLACE, sealed)).isEqualTo(SECRET);
        assertThat(box.open(PLACE, box.seal(PLACE, ""))).isEmpty();
        assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("sk-", "1234");
        assertThat(box.seal(PLACE, SECRET)).as("another nonce").isNotEqualTo(sealed);
    }

    @Test
    void itOpensNowhereElseAndUnderNoOtherKey() {
        byte[] sealed = box.seal(PLACE, SECRET);

        assertThatThrownBy(() -> box.open("target.key/8", sealed))
                .isInstanceOf(SecretException.class)
                .hasMessageContaining("belongs elsewhere");
        assertThatThrownBy(() -> box("11".repeat(32)).open(PLACE, sealed))
                .isInstanceOf(SecretException.class)
                .hasMessageContaining("another key")
                .hasMessageContaining("PLUMBLINE_SECRET_KEY");
    }

    @Test
    void everyChangedByteIsNoticed() {
        byte[] sealed = box.seal(PLACE, SECRET);
        for (int at = 0; at < sealed.length; at++) {
            byte[] changed = sealed.clone();
            changed[at] ^= 1;
            assertThatThrownBy(() -> box.open(PLACE, changed)).as("byte " + at).isInstanceOf(SecretException.class);
        }
        assertThatThrownBy(() -> box.open(PLACE, Arrays.copyOf(sealed, 20))).isInstanceOf(SecretException.class);
        assertThatThrownBy(() -> box.open(PLACE, new byte[0])).isInstanceOf(SecretException.class);
    }

    @Test
    void aDataFolderHasAKeyOfItsOwnThatNobodyElseReads() throws IOException {
        byte[] sealed = new SecretBox(() -> SecretKey.of(folder)).seal(PLACE, SECRET);

        assertThat(new SecretBox(() -> SecretKey.of(folder)).open(PLACE, sealed))
                .isEqualTo(SECRET);
        Path file = folder.resolve("secret-key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Files.writeString(file, "half");
        assertThatThrownBy(() -> SecretKey.of(folder))
                .isInstanceOf(SecretException.class)
                .hasMessageContaining("damaged")
                .hasMessageNotContaining("half");
    }

    @Test
    void aServerOfASharedDatabaseNeedsItsKeyFromTheOperator() {
        try (Database database = Database.external("jdbc:postgresql://127.0.0.1:1/none", "nobody", "")) {
            assertThatThrownBy(() -> database.secrets().seal(PLACE, SECRET))
                    .isInstanceOf(SecretException.class)
                    .hasMessageContaining("PLUMBLINE_SECRET_KEY");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "gg" + "0011223344556677001122334455667700112233445566770011223344556677"})
    void aKeyThatIsNoneIsRefusedWithoutBeingRepeated(String digits) {
        assertThatThrownBy(() -> Database.external("jdbc:postgresql://127.0.0.1:1/none", "nobody", "", digits))
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining("64 hexadecimal digits")
                .hasMessageNotContaining("0011");
    }
}
