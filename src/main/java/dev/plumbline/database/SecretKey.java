package dev.plumbline.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Where the key of {@link SecretBox} comes from: 32 bytes, written as 64 hexadecimal digits. */
final class SecretKey {
    /** Names the key, for servers that share a database; comes before the file. */
    static final String VARIABLE = "PLUMBLINE_SECRET_KEY";

    /** In the data folder of an embedded database. */
    private static final String FILE = "secret-key";

    private static final int BYTES = 32;
    private static final Pattern DIGITS = Pattern.compile("[0-9a-fA-F]{64}");

    private SecretKey() {}

    /**
     * Reads a key that an operator wrote.
     *
     * @throws DatabaseException if it is none; the message does not repeat it
     */
    static byte[] parse(String digits) {
        if (!DIGITS.matcher(digits).matches()) {
            throw new DatabaseException(VARIABLE + " has " + digits.length()
                    + " characters or not only digits of base 16; allowed: 64 hexadecimal digits, as `openssl rand -hex 32`"
                    + " prints them");
        }
        return HexFormat.of().parseHex(digits);
    }

    /** There is none. */
    static byte[] missing() {
        throw new SecretException(
                "this server has no key to store secrets with; start it, and every other server of the"
                        + " database, with the same " + VARIABLE + " (64 hexadecimal digits)");
    }

    /** The key of a data folder; made at the first call. */
    static synchronized byte[] of(Path folder) {
        Path file = folder.resolve(FILE);
        try {
            if (!Files.exists(file)) {
                create(file);
            }
            String digits = Files.readString(file).strip();
            if (!DIGITS.matcher(digits).matches()) {
                throw new SecretException("the key file " + file + " is damaged; allowed: 64 hexadecimal digits");
            }
            return HexFormat.of().parseHex(digits);
        } catch (IOException e) {
            throw new SecretException("cannot use the key file " + file + ": " + FileTrouble.words(e));
        }
    }

    /** Written under another name first: a stop meanwhile leaves no half of a key. */
    private static void create(Path file) throws IOException {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        Path fresh = file.resolveSibling(FILE + ".new");
        Files.deleteIfExists(fresh);
        Files.createFile(fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(fresh, HexFormat.of().formatHex(bytes) + "\n");
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
