package dev.plumbline.security;

import java.util.Set;

/**
 * A user to be made.
 *
 * @param name for the login; unlike every other in more than its case
 * @param password for the login
 * @param scopes what they may do
 */
public record NewUser(String name, String password, Set<Scope> scopes) {
    @Override
    public String toString() {
        return "NewUser[name=" + name + "]";
    }
}
