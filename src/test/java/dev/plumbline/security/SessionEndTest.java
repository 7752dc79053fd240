package dev.plumbline.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.database.Database;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When sessions end. Hours pass only when a test says so. */
class SessionEndTest {
    private static final String PATH = "/api/conversations";

    private final TestClock clock = new TestClock();

    private TestServer start(Database database) {
        Access access = new Access(Optional.of(ApiKey.of(TestServer.KEY)), null, made -> {}, clock);
        return TestServer.loading(database, TestServer.KEY, access, false);
    }

    private static int status(Browser browser, String path) throws Exception {
        return browser.get(path).statusCode();
    }

    private void passesInUse(Browser browser, Duration time) throws Exception {
        Duration step = Duration.ofMinutes(20);
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(step)) {
            clock.pass(step);
            assertThat(status(browser, PATH)).as("after %s", passed).isEqualTo(200);
        }
    }

    @Test
    void aSessionEndsHalfAnHourAfterItsLastRequestAndTwelveHoursAfterItsLogin() throws Exception {
        String name = TestDatabase.create();
        try (TestServer server = start(TestDatabase.named(name));
                Database side = TestDatabase.named(name)) {
            TestUser user = TestUser.create(side, Scope.CHAT);
            Browser idle = new Browser(server);
            Browser busy = new Browser(server);
            idle.login(user.name(), user.password());
            busy.login(user.name(), user.password());

            clock.pass(Duration.ofMinutes(29));
            assertThat(status(idle, PATH)).isEqualTo(200);
            assertThat(status(busy, PATH)).isEqualTo(200);
            clock.pass(Duration.ofMinutes(10));
            assertThat(status(busy, PATH)).isEqualTo(200);
            clock.pass(Duration.ofMinutes(21));
            assertThat(status(busy, PATH)).isEqualTo(200);
            assertThat(status(idle, PATH)).isEqualTo(401);
            passesInUse(busy, Duration.ofMinutes(10 * 60 + 40));
            clock.pass(Duration.ofMinutes(19));
            assertThat(status(busy, PATH)).isEqualTo(200);
            clock.pass(Duration.ofMinutes(1));
            assertThat(status(busy, PATH)).isEqualTo(401);
        }
    }

    @Test
    void anotherLoginInTheSameBrowserBeginsTheTwelveHoursAnew() throws Exception {
        String name = TestDatabase.create();
        try (TestServer server = start(TestDatabase.named(name));
                Database side = TestDatabase.named(name)) {
            TestUser user = TestUser.create(side, Scope.CHAT);
            Browser browser = new Browser(server);
            browser.login(user.name(), user.password());
            passesInUse(browser, Duration.ofHours(11));

            browser.login(user.name(), user.password());

            passesInUse(browser, Duration.ofMinutes(11 * 60 + 40));
        }
    }

    @Test
    void aLoginWithTheNewPasswordHoldsRightAfterTheChange() throws Exception {
        String name = TestDatabase.create();
        try (TestServer server = start(TestDatabase.named(name));
                Database side = TestDatabase.named(name)) {
            TestUser user = TestUser.create(side, Scope.CHAT);
            Browser browser = new Browser(server);
            browser.login(user.name(), user.password());
            assertThat(status(browser, PATH)).isEqualTo(200);
            String hash = new Passwords().hash("a new password");
            side.now(client -> {
                UserTable.password(client, user.id(), hash);
                return true;
            });

            assertThat(browser.login(user.name(), "a new password").statusCode())
                    .isEqualTo(302);

            assertThat(status(browser, PATH)).isEqualTo(200);
        }
    }

    @Test
    void aScopeThatWasTakenAwayDoesNotComeBackWhileTheDatabaseIsLost(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        Database postgres = TestDatabase.start(data);
        try (TestServer server = start(TestDatabase.connect(data))) {
            TestUser user = TestUser.create(postgres, Scope.CHAT, Scope.OPERATE);
            Browser browser = new Browser(server);
            browser.login(user.name(), user.password());
            assertThat(status(browser, "/api/engine")).isEqualTo(200);
            postgres.now(client -> {
                UserTable.scopes(client, user.id(), Set.of(Scope.CHAT));
                return true;
            });
            await().atMost(Duration.ofSeconds(10)).until(() -> status(browser, "/api/engine") == 403);

            postgres.close();

            await().atMost(Duration.ofSeconds(30)).until(() -> status(browser, PATH) == 503);
            // Longer than what was read a moment ago is kept.
            await().during(BriefCache.AGE.plusSeconds(1))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> status(browser, "/api/engine") == 403);
        } finally {
            postgres.close();
        }
    }
}
