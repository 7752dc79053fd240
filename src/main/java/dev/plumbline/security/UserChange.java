package dev.plumbline.security;

import java.util.Set;

/**
 * What is to change about a user; null leaves it as it is.
 *
 * @param password a new password, which ends all sessions
 * @param disabled whether login and keys are refused
 * @param scopes what they may do
 */
public record UserChange(String password, Boolean disabled, Set<Scope> scopes) {
    @Override
    public String toString() {
        return "UserChange[disabled=" + disabled + ", scopes=" + scopes + "]";
    }
}
