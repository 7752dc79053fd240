package dev.plumbline.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.database.Database;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** Login, sessions and what a page may do with one, against the real server and PostgreSQL. */
class LoginTest {
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    private static final List<Credentials> ANNOUNCED = new ArrayList<>();
    private static final String DATABASE = TestDatabase.create();
    private static TestServer server;
    private static Database side;

    private Browser browser;

    @BeforeAll
    static void start() {
        side = TestDatabase.named(DATABASE);
        server = TestServer.loading(TestDatabase.named(DATABASE), TestServer.KEY, ANNOUNCED::add);
    }

    @AfterAll
    static void stop() {
        server.close();
        side.close();
    }

    @BeforeEach
    void openBrowser() {
        browser = new Browser(server);
    }

    private HttpResponse<String> loginAsAdmin() throws Exception {
        return browser.login("Admin", ANNOUNCED.get(0).password());
    }

    @Test
    void theRightPasswordOpensTheConsoleAndTheApis() throws Exception {
        assertThat(browser.get("/console").headers().firstValue("Location")).contains("/login");
        assertThat(browser.get("/api/conversations").statusCode()).isEqualTo(401);

        HttpResponse<String> response = loginAsAdmin();

        assertThat(response.statusCode()).isEqualTo(302);
        assertThat(response.headers().firstValue("Location")).contains("/console");
        assertThat(browser.get("/console").headers().firstValue("Location")).isEmpty();
        assertThat(browser.get("/api/conversations").statusCode()).isEqualTo(200);
        assertThat(browser.get("/actuator/health").body()).contains("components");
    }

    @Test
    void theLoginLeadsNowhereElse() throws Exception {
        HttpResponse<String> response = browser.form(
                "/login?next=https://evil.example&redirect=//evil.example",
                "_csrf",
                browser.token(),
                "username",
                "admin",
                "password",
                ANNOUNCED.get(0).password(),
                "continue",
                "https://evil.example");

        assertThat(response.headers().firstValue("Location")).contains("/console");
    }

    @Test
    void whoHasNotLoggedInIsGivenNoSessionAndIsNotSentBackWhereTheyWere() throws Exception {
        for (String path : List.of("/console", "/console/engine?next=//evil.example", "/login", "/nowhere")) {
            browser.send(browser.request(path).header("Accept", "text/html,application/xhtml+xml"));
        }

        assertThat(browser.cookie("plumbline-session")).isNull();
        assertThat(loginAsAdmin().headers().firstValue("Location")).contains("/console");
    }

    @Test
    void theLoginNeedsItsTokenHoweverItsPathIsWritten() throws Exception {
        String password = ANNOUNCED.get(0).password();
        for (String path :
                List.of("/login", "/%6cogin", "/%6C%6F%67%69%6E", "/login;a=b", "//login", "/login/", "/x/../login")) {
            HttpResponse<String> refused = browser.form(path, "username", "admin", "password", password);

            assertThat(refused.statusCode()).as(path).isBetween(400, 404);
            assertThat(refused.headers().allValues("Set-Cookie"))
                    .as(path)
                    .noneMatch(cookie -> cookie.contains("session"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "application/x-www-form-urlencoded, %zz=1",
        "application/x-www-form-urlencoded, username=%ff&password=%ff%",
        "application/x-www-form-urlencoded, LONG",
        "application/x-www-form-urlencoded;charset=utf-99, username=a",
        "multipart/form-data, username=a",
        "nonsense, username=a",
    })
    void whatIsNoFormIsRefusedAndNoFaultOfTheServer(String type, String body) throws Exception {
        for (String token : new String[] {null, browser.token()}) {
            HttpRequest.Builder request = browser.request("/login").header("Content-Type", type);
            if (token != null) {
                request.header("X-CSRF-TOKEN", token);
            }
            String sent = body.equals("LONG") ? "username=" + "x".repeat(400_000) : body;
            HttpResponse<String> refused = browser.send(request.POST(HttpRequest.BodyPublishers.ofString(sent)));

            assertThat(refused.statusCode()).as(refused.body()).isBetween(400, 413);
        }
        loginAsAdmin();
    }

    @Test
    void aKeyHasNothingToLogInFor() throws Exception {
        HttpResponse<String> refused = browser.send(browser.request("/login")
                .header("Authorization", "Bearer " + TestServer.KEY)
                .POST(HttpRequest.BodyPublishers.ofString("")));

        assertThat(refused.statusCode()).isEqualTo(404);
    }

    @Test
    void cookiesAreOutOfReachForScriptsAndOtherSites() throws Exception {
        List<String> before = browser.get("/login").headers().allValues("Set-Cookie");
        List<String> after = loginAsAdmin().headers().allValues("Set-Cookie");

        assertThat(before).hasSize(1);
        assertThat(before).allMatch(cookie -> cookie.startsWith("plumbline-csrf="));
        assertThat(after).anyMatch(cookie -> cookie.startsWith("plumbline-session="));
        for (String cookie : Stream.of(before, after).flatMap(List::stream).toList()) {
            assertThat(cookie).containsIgnoringCase("; HttpOnly").contains("; SameSite=Strict");
        }
    }

    @Test
    void everyPageHasThePolicy() throws Exception {
        loginAsAdmin();
        for (String path : List.of("/login", "/console", "/ui/login.css", "/api/conversations", "/nowhere")) {
            assertThat(browser.get(path).headers().allValues("Content-Security-Policy"))
                    .as(path)
                    .containsExactly(POLICY);
        }
    }

    @Test
    void aSessionIdFromBeforeTheLoginIsWorthNothing() throws Exception {
        browser.setCookie("plumbline-session", "chosen-by-an-attacker");
        loginAsAdmin();

        assertThat(browser.cookie("plumbline-session")).isNotEqualTo("chosen-by-an-attacker");
        String first = browser.cookie("plumbline-session");
        loginAsAdmin();
        String second = browser.cookie("plumbline-session");
        assertThat(second).isNotEqualTo(first);
        Browser thief = new Browser(server);
        for (String old : List.of("chosen-by-an-attacker", first)) {
            thief.setCookie("plumbline-session", old);
            assertThat(thief.get("/api/conversations").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void aSessionChangesNothingWithoutItsToken() throws Exception {
        String early = browser.token();
        assertThat(browser.form("/login", "username", "admin", "password", "x").statusCode())
                .isEqualTo(403);
        loginAsAdmin();
        String token = browser.token();

        for (String wrong : new String[] {null, "", "guessed", early}) {
            HttpResponse<String> refused = browser.post("/api/conversations", "{}", wrong);
            assertThat(refused.statusCode()).as("token %s", wrong).isEqualTo(403);
            assertThat(code(refused)).isEqualTo("invalid_csrf_token");
        }
        assertThat(browser.post("/api/conversations", "{}", token).statusCode()).isEqualTo(200);
        assertThat(browser.form("/logout").statusCode()).isEqualTo(403);
    }

    @Test
    void aKeyNeedsNoTokenAndASessionLendsItNothing() throws Exception {
        loginAsAdmin();
        HttpRequest.Builder request = browser.request("/api/conversations")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{}"));

        assertThat(browser.send(request.copy().header("Authorization", "Bearer " + TestServer.KEY))
                        .statusCode())
                .isEqualTo(200);
        for (String header : List.of("Bearer wrong", "Basic YWRtaW46eA==", "")) {
            assertThat(browser.send(request.copy().header("Authorization", header))
                            .statusCode())
                    .as("Authorization: %s", header)
                    .isEqualTo(401);
        }
    }

    @Test
    void aLogoutEndsTheSessionOnTheServer() throws Exception {
        loginAsAdmin();
        String session = browser.cookie("plumbline-session");

        HttpResponse<String> response = browser.form("/logout", "_csrf", browser.token());

        assertThat(response.headers().firstValue("Location")).contains("/login");
        Browser thief = new Browser(server);
        thief.setCookie("plumbline-session", session);
        assertThat(thief.get("/api/conversations").statusCode()).isEqualTo(401);
    }

    @Test
    void aWrongNameAndAWrongPasswordLookTheSame() throws Exception {
        HttpResponse<String> unknown = browser.login("nobody <b>'; DROP TABLE app_user; --", "wrong password");
        HttpResponse<String> wrong = browser.login("admin", "wrong password");

        assertThat(unknown.statusCode()).isEqualTo(401);
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(withoutToken(unknown)).isEqualTo(withoutToken(wrong)).contains("Wrong name or password.");
        // Lest the next test is locked out: all of them come from one address.
        loginAsAdmin();
    }

    @Test
    void afterFiveWrongPasswordsTheRightOneMustWaitToo() throws Exception {
        try (TestServer locking = TestServer.loading(
                TestDatabase.named(DATABASE), TestServer.KEY, new Access(Optional.empty(), null, made -> {}), true)) {
            for (int i = 0; i < 5; i++) {
                assertThat(from(locking, "10.0.0." + i, "wrong password").statusCode())
                        .isEqualTo(401);
            }
            HttpResponse<String> locked =
                    from(locking, "10.0.0.9", ANNOUNCED.get(0).password());

            assertThat(locked.statusCode()).isEqualTo(429);
            assertThat(Integer.parseInt(
                            locked.headers().firstValue("Retry-After").orElseThrow()))
                    .isBetween(1, 30);
            assertThat(locked.body()).containsPattern("Try again in \\d+ seconds\\.");
        }
    }

    @Test
    void aNetworkIsOnePlaceHoweverManyAddressesItHas() throws Exception {
        try (TestServer locking = TestServer.loading(
                TestDatabase.named(DATABASE), TestServer.KEY, new Access(Optional.empty(), null, made -> {}), true)) {
            for (int i = 0; i < 5; i++) {
                assertThat(from(locking, "[2001:db8::" + i + "]", "name" + i, "wrong password")
                                .statusCode())
                        .isEqualTo(401);
            }

            assertThat(from(locking, "[2001:db8::9]", "fresh", "wrong password").statusCode())
                    .isEqualTo(429);
            assertThat(from(locking, "[2001:db8:0:1::9]", "fresh", "wrong password")
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    private static HttpResponse<String> from(TestServer server, String address, String password) throws Exception {
        return from(server, address, "ADMIN", password);
    }

    private static HttpResponse<String> from(TestServer server, String address, String name, String password)
            throws Exception {
        Browser visitor = new Browser(server, "X-Forwarded-For", address, "X-Forwarded-Proto", "https");
        // A Secure cookie is not sent back over what the client knows to be plain HTTP.
        HttpResponse<String> page = visitor.get("/login");
        String cookie = page.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie).contains("; Secure");
        visitor.setCookie("plumbline-csrf", cookie.substring(cookie.indexOf('=') + 1, cookie.indexOf(';')));
        return visitor.form("/login", "_csrf", Browser.token(page), "username", name, "password", password);
    }

    @Test
    void aNewPasswordEndsTheSessionsOfItsUserAndNoOthers() throws Exception {
        TestUser user = TestUser.create(side, Scope.CHAT);
        Browser theirs = new Browser(server);
        theirs.login(user.name(), user.password());
        loginAsAdmin();
        HttpRequest.Builder change = browser.request("/api/users/" + user.id())
                .header("Content-Type", "application/json")
                .header("X-CSRF-TOKEN", browser.token())
                .method("PATCH", HttpRequest.BodyPublishers.ofString("{\"password\":\"a new password\"}"));

        assertThat(theirs.get("/api/conversations").statusCode()).isEqualTo(200);
        assertThat(theirs.get("/api/users").statusCode()).isEqualTo(403);
        assertThat(browser.send(change).statusCode()).isEqualTo(200);
        await().atMost(Duration.ofSeconds(10))
                .until(() -> theirs.get("/api/conversations").statusCode() == 401);
        assertThat(browser.get("/api/conversations").statusCode()).isEqualTo(200);
        assertThat(theirs.login(user.name(), user.password()).statusCode()).isEqualTo(401);
        assertThat(theirs.login(user.name(), "a new password").statusCode()).isEqualTo(302);
    }

    private static String withoutToken(HttpResponse<String> page) {
        return page.body().replaceAll("name=\"_csrf\" value=\"[^\"]+\"", "");
    }

    private static String code(HttpResponse<String> response) {
        return JsonMapper.shared().readTree(response.body()).at("/error/code").asString();
    }
}
