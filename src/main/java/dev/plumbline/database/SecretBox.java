package dev.plumbline.database;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.Supplier;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts what the database must keep and a copy of the database must not tell: keys of other servers, secrets of
 * webhooks. AES-256 in GCM with a random nonce; what is sealed is bound to its place and opens nowhere else.
 *
 * <p>Sealed: version (1 byte), first 4 bytes of the key's SHA-256, nonce (12), ciphertext with its tag (16 more than the
 * text). NIST SP 800-38D allows 2^32 random nonces a key.
 */
public final class SecretBox {
    private static final byte VERSION = 1;
    private static final int KEY_ID_BYTES = 4;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;

    private final Supplier<byte[]> key;
    private final SecureRandom random = new SecureRandom();

    /** With a key that is looked up whenever it is needed. */
    SecretBox(Supplier<byte[]> key) {
        this.key = key;
    }

    /**
     * Encrypts a text.
     *
     * @param place table, column and row; it must be named again to open
     * @throws SecretException if this server has no key
     */
    public byte[] seal(String place, String secret) {
        byte[] bytes = key.get();
        byte[] header = new byte[HEADER_BYTES];
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        ByteBuffer.wrap(header).put(VERSION).put(id(bytes)).put(nonce);
        try {
            byte[] encrypted =
                    cipher(Cipher.ENCRYPT_MODE, bytes, nonce, place).doFinal(secret.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.allocate(HEADER_BYTES + encrypted.length)
                    .put(header)
                    .put(encrypted)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has AES in GCM", e);
        }
    }

    /**
     * Decrypts what {@link #seal} made for the same place.
     *
     * @throws SecretException if this server has no key or another one, or the bytes were changed or belong elsewhere
     */
    public String open(String place, byte[] sealed) {
        if (sealed.length < HEADER_BYTES + TAG_BITS / Byte.SIZE || sealed[0] != VERSION) {
            throw new SecretException("a stored secret is damaged; it must be entered again");
        }
        byte[] bytes = key.get();
        if (!Arrays.equals(id(bytes), Arrays.copyOfRange(sealed, 1, 1 + KEY_ID_BYTES))) {
            throw new SecretException(
                    "a stored secret was encrypted under another key than this server has; give it that" + " key by "
                            + SecretKey.VARIABLE + ", or enter the secret again");
        }
        byte[] nonce = Arrays.copyOfRange(sealed, 1 + KEY_ID_BYTES, HEADER_BYTES);
        try {
            byte[] opened = cipher(Cipher.DECRYPT_MODE, bytes, nonce, place)
                    .doFinal(sealed, HEADER_BYTES, sealed.length - HEADER_BYTES);
            return new String(opened, StandardCharsets.UTF_8);
        } catch (AEADBadTagException e) {
            throw new SecretException("a stored secret was changed or belongs elsewhere; it must be entered again");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has AES in GCM", e);
        }
    }

    private static Cipher cipher(int mode, byte[] key, byte[] nonce, String place) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(place.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    private static byte[] id(byte[] key) {
        try {
            return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(key), KEY_ID_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
