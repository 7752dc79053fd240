package dev.plumbline.recall.remote;

import dev.plumbline.document.Words;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Locale;

/** Where a server is. */
final class TargetUrl {
    static final int LONGEST = 500;
    private static final String FIELD = "url";
    private static final String ALLOWED =
            "http:// or https://, a host, and perhaps a port and a path; no user, query or fragment";
    private static final int LAST_PORT = 65_535;

    private TargetUrl() {}

    /**
     * The URL as it is kept: without a slash or {@code /v1} at its end.
     *
     * @throws TargetException if it is none, or its host is an address that is not allowed
     */
    static String of(String text, TargetNetworks networks) {
        URI uri = parse(text.strip());
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        boolean plain = uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
        boolean http = scheme.equals("http") || scheme.equals("https");
        if (!http || uri.getHost() == null || !plain || uri.getPort() == 0 || uri.getPort() > LAST_PORT) {
            // What stands before an @ may be a password.
            String shown = uri.getRawUserInfo() == null ? "'" + Words.shown(text) + "'" : "a URL with a user";
            throw new TargetException(FIELD, "Invalid value for 'url': " + shown + "; allowed: " + ALLOWED + ".");
        }
        String host = uri.getHost().toLowerCase(Locale.ROOT);
        requireAllowed(host, networks);
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        return scheme + "://" + host + port + path.replaceFirst("/+$", "").replaceFirst("/v1$", "");
    }

    private static URI parse(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            String shown = text.contains("@") ? "a URL with a user" : "'" + Words.shown(text) + "'";
            throw new TargetException(FIELD, "Invalid value for 'url': " + shown + "; allowed: " + ALLOWED + ".");
        }
    }

    /**
     * Looks at hosts that are written as an address; names are looked at when they are resolved.
     *
     * @throws TargetException if the address is not allowed
     */
    static void requireAllowed(String host, TargetNetworks networks) {
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(bare);
        if (bytes == null) {
            return;
        }
        try {
            if (!networks.allow(InetAddress.getByAddress(bytes))) {
                throw new TargetException(
                        FIELD,
                        "Invalid value for 'url': the address " + host + " is not allowed; PLUMBLINE_TARGETS="
                                + networks.text() + " says which are.");
            }
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of 4 or 16 bytes is one", e);
        }
    }

    /** Scheme, host and port: what a key is given to. */
    static String origin(String url) {
        URI uri = URI.create(url);
        int standard = uri.getScheme().equals("https") ? 443 : 80;
        return uri.getScheme() + "://" + uri.getHost() + ":" + (uri.getPort() < 0 ? standard : uri.getPort());
    }
}
