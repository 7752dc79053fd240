package dev.plumbline.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

/** A key that clients may send. Only its hash is kept. */
public final class ApiKey {
    private static final int RANDOM_BYTES = 24;
    private static final int SHOWN = 8;
    private static final Pattern MADE = Pattern.compile("pl-[A-Za-z0-9_-]{32}");

    private final byte[] hash;

    private ApiKey(byte[] hash) {
        this.hash = hash;
    }

    /**
     * Keeps the hash of a key.
     *
     * @throws IllegalArgumentException if the key cannot be sent in a header
     */
    public static ApiKey of(String key) {
        if (key.isEmpty() || !key.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException("an API key consists of visible ASCII characters without spaces");
        }
        return new ApiKey(hash(key));
    }

    /** A new key of 192 bits. */
    public static String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return "pl-" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Whether it looks like a key of {@link #random}; nothing else is in the database. */
    static boolean isMade(String candidate) {
        return MADE.matcher(candidate).matches();
    }

    /** What of a key may be shown. */
    static String prefix(String key) {
        return key.substring(0, SHOWN);
    }

    /** Compares in a time that tells nothing of the key. */
    boolean matches(String candidate) {
        return MessageDigest.isEqual(hash, hash(candidate));
    }

    static byte[] hash(String key) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
