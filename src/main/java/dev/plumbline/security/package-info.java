/**
 * Who may call. Users have scopes and a password, keys belong to users and are kept as hashes; {@code PLUMBLINE_API_KEY}
 * belongs to the administrator and needs no database. The name of a request's principal, a {@link
 * dev.plumbline.security.Caller}, is the owner of what it stores.
 *
 * <p>For pages: {@code /console/**} and every API take a session too. Its cookie is not readable by scripts, and
 * requests that change something need the CSRF token, as header {@code X-CSRF-TOKEN} or form field {@code _csrf}.
 * Templates of controllers find it as {@code _csrf.token} in their model; routes ask {@link
 * dev.plumbline.security.CsrfTokens}. Files of {@code ui/static} are served under
 * {@code /ui/} to everyone. The content security policy allows scripts and styles from this server's files only.
 */
package dev.plumbline.security;
