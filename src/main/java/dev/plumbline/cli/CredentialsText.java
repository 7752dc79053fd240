package dev.plumbline.cli;

import dev.plumbline.security.Credentials;
import java.io.PrintWriter;

/** Shows new secrets, the only time that they are known. */
final class CredentialsText {
    private CredentialsText() {}

    static void print(PrintWriter out, Credentials made) {
        out.println("Login: " + made.user() + "  password: " + made.password());
        out.println("API key: " + made.key());
        out.flush();
    }
}
