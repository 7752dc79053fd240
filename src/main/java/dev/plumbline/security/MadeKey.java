package dev.plumbline.security;

/**
 * A new key.
 *
 * @param secret the key itself, which is told now and never again
 * @param stored what is kept of it
 */
public record MadeKey(String secret, StoredKey stored) {
    @Override
    public String toString() {
        return "MadeKey[" + stored.id() + "]";
    }
}
