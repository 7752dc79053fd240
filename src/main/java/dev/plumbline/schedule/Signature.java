package dev.plumbline.schedule;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What tells a receiver that an event is ours and not an old one sent again. */
final class Signature {
    private static final String ALGORITHM = "HmacSHA256";

    private Signature() {}

    /** {@code v1=} and the HMAC-SHA256, in hexadecimal, of Unix seconds, a dot and the body. */
    static String of(String secret, Instant time, String body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            byte[] signed = (time.getEpochSecond() + "." + body).getBytes(StandardCharsets.UTF_8);
            return "v1=" + HexFormat.of().formatHex(mac.doFinal(signed));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
