package dev.plumbline.console;

import dev.plumbline.security.Scope;
import dev.plumbline.security.TestUser;
import dev.plumbline.testing.TestServer;
import java.util.function.Supplier;

/** A server, and a user of it who logs in and has said nothing before. */
final class SignedIn implements AutoCloseable {
    private final Supplier<TestServer> start;
    private final TestUser user;
    private TestServer server;

    SignedIn(Supplier<TestServer> start, Scope... scopes) {
        this.start = start;
        this.user = TestUser.create(scopes);
        this.server = start.get();
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
