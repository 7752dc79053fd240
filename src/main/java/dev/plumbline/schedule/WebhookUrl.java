package dev.plumbline.schedule;

import dev.plumbline.document.DocumentException;
import dev.plumbline.document.Words;
import java.net.URI;
import java.net.URISyntaxException;

/** Addresses that events may be sent to, by their words; {@link Networks} judges where they lead. */
final class WebhookUrl {
    private static final int LAST_PORT = 65_535;

    private WebhookUrl() {}

    /**
     * Reads an address.
     *
     * @throws DocumentException naming what is allowed
     */
    static URI parse(String field, String text) {
        try {
            URI url = new URI(text);
            boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            boolean plain = url.getRawUserInfo() == null && url.getRawFragment() == null;
            if (web && plain && url.getHost() != null && url.getPort() <= LAST_PORT && url.getPort() != 0) {
                return url;
            }
        } catch (URISyntaxException e) {
            // Refused below.
        }
        throw new DocumentException(
                field,
                "Invalid value for '" + field + "': '" + Words.shown(text)
                        + "'; allowed: http:// or https:// with a host, without user, password and fragment.");
    }
}
