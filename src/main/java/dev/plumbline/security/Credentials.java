package dev.plumbline.security;

/**
 * New secrets of the administrator, to be shown once: only their hashes are kept.
 *
 * @param user name for the login
 * @param password its password
 * @param key a key with every scope
 */
public record Credentials(String user, String password, String key) {
    @Override
    public String toString() {
        return "Credentials[user=" + user + "]";
    }
}
