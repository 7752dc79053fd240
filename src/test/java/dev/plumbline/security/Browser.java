package dev.plumbline.security;

import dev.plumbline.testing.TestServer;
import java.io.IOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.HttpCookie;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Someone who keeps cookies and follows no redirect. */
final class Browser {
    private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"");

    private final CookieManager cookies = new CookieManager(null, CookiePolicy.ACCEPT_ALL);
    private final HttpClient http =
            HttpClient.newBuilder().cookieHandler(cookies).build();
    private final TestServer server;

    private final String[] headers;

    /** Sends headers, given as names and values in turn, with every request. */
    Browser(TestServer server, String... headers) {
        this.server = server;
        this.headers = headers;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path).GET());
    }

    HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url() + path));
        return headers.length == 0 ? request : request.headers(headers);
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** The token that the login page has for this browser. */
    String token() throws IOException, InterruptedException {
        return token(get("/login"));
    }

    static String token(HttpResponse<String> page) {
        Matcher matcher = TOKEN.matcher(page.body());
        if (!matcher.find()) {
            throw new IllegalStateException("the login page has no CSRF token");
        }
        return matcher.group(1);
    }

    HttpResponse<String> login(String name, String password) throws IOException, InterruptedException {
        return form("/login", "_csrf", token(), "username", name, "password", password);
    }

    /** Posts a form of fields and values in turn. */
    HttpResponse<String> form(String path, String... fields) throws IOException, InterruptedException {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < fields.length; i += 2) {
            body.append(i == 0 ? "" : "&")
                    .append(fields[i])
                    .append('=')
                    .append(URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
        }
        return send(request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString())));
    }

    /** Posts JSON; {@code token} may be null. */
    HttpResponse<String> post(String path, String json, String token) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path).header("Content-Type", "application/json");
        if (token != null) {
            request.header("X-CSRF-TOKEN", token);
        }
        return send(request.POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    /** The value of a cookie, or null. */
    String cookie(String name) {
        return cookies.getCookieStore().getCookies().stream()
                .filter(cookie -> cookie.getName().equals(name))
                .map(HttpCookie::getValue)
                .findFirst()
                .orElse(null);
    }

    void setCookie(String name, String value) {
        HttpCookie cookie = new HttpCookie(name, value);
        cookie.setPath("/");
        cookie.setDomain(URI.create(server.url()).getHost());
        cookie.setVersion(0);
        cookies.getCookieStore().add(URI.create(server.url()), cookie);
    }
}
