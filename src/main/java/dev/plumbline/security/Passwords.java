package dev.plumbline.security;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Hashes of passwords; every call takes a tenth of a second or more. */
final class Passwords {
    /** Fewest characters. */
    static final int SHORTEST = 12;

    /** Most bytes of UTF-8: bcrypt reads no more. */
    static final int LONGEST = 72;

    private static final int STRENGTH = 11;
    private static final String LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
    private static final int GROUPS = 5;
    private static final int GROUP_LENGTH = 4;

    /** Of a random password that nobody was told. */
    private static final String NOBODY = "{bcrypt}$2a$11$siAwfd7/zDd.Mgud2SFkU.HPsf.4g4WuCJZg9K9ioatHrcu1r2aeu";

    private final PasswordEncoder encoder =
            new DelegatingPasswordEncoder("bcrypt", Map.of("bcrypt", new BCryptPasswordEncoder(STRENGTH)));

    /** A new password of 100 bits, easy to type. */
    static String random() {
        SecureRandom random = new SecureRandom();
        return IntStream.range(0, GROUPS)
                .mapToObj(group -> random.ints(GROUP_LENGTH, 0, LETTERS.length())
                        .mapToObj(letter -> LETTERS.substring(letter, letter + 1))
                        .collect(Collectors.joining()))
                .collect(Collectors.joining("-"));
    }

    /** Whether it may be somebody's password. */
    static boolean allowed(String password) {
        return password.codePointCount(0, password.length()) >= SHORTEST && fits(password);
    }

    private static boolean fits(String password) {
        return password.getBytes(StandardCharsets.UTF_8).length <= LONGEST;
    }

    String hash(String password) {
        return encoder.encode(password);
    }

    /** Whether the password is that of the hash, null standing for nobody's; takes equally long either way. */
    boolean matches(String password, String hash) {
        boolean known = hash != null && fits(password);
        return encoder.matches(fits(password) ? password : "", known ? hash : NOBODY) && known;
    }
}
