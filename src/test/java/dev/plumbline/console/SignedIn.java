package dev.plumbline.console;

import dev.plumbline.security.Scope;
import dev.plumbline.security.TestUser;
import dev.plumbline.testing.TestServer;
import java.util.function.Supplier;

/** A server, and a user of it who logs in and has said nothing before. */
final class SignedIn implements AutoCloseable {
    private final Supplier<TestServer> start;
    private final Scope[] scopes;
    private TestUser user;
    private TestServer server;

    SignedIn(Supplier<TestServer> start, Scope... scopes) {
        this.start = start;
        this.scopes = scopes.clone();
        this.user = TestUser.create(scopes);
        this.server = start.get();
    }

    /** From now on the user is another one, who has said nothing before either. */
    void another() {
        user = TestUser.create(scopes);
    }

    /** The server, asked with the user's key. */
    TestServer server() {
        return server.with(user.key());
    }

    /** Logs in. */
    ConsolePage open(Browser browser) {
        return new ConsolePage(browser, server.url()).open(user.name(), user.password());
    }

    /** Ends the server; another one goes on with the same database. */
    void restart() {
        server.close();
        server = start.get();
    }

    @Override
    public void close() {
        server.close();
    }
}
