package dev.plumbline.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** The key that clients must send. Only its hash is kept. */
public final class ApiKey {
    private static final int RANDOM_BYTES = 24;

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
        return new ApiKey(sha256(key));
    }

    /** A new key nobody can guess. */
    public static String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return "pl-" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** A name for whoever holds the key, from which the key does not follow. */
    String owner() {
        return HexFormat.of().formatHex(sha256("owner:" + HexFormat.of().formatHex(hash)));
    }

    /** Compares in a time that tells nothing of the key. */
    boolean matches(String candidate) {
        return MessageDigest.isEqual(hash, sha256(candidate));
    }

    private static byte[] sha256(String key) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
