package dev.plumbline.target;

import dev.plumbline.engine.LaneKey;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.CRC32C;

/** Names the arithmetic that answers: program version, backend, run config and the flags it comes to. */
final class Fingerprint {
    private Fingerprint() {}

    static String of(LaneKey lane, String backend) {
        CRC32C crc = new CRC32C();
        crc.update(lane.profile().flags().toString().getBytes(StandardCharsets.UTF_8));
        return "fp_plumbline_" + version() + "_" + backend + "_" + lane.label() + "_"
                + String.format(Locale.ROOT, "%08x", crc.getValue());
    }

    /** The launcher says which commit runs; a jar knows its release. */
    private static String version() {
        String release = Fingerprint.class.getPackage().getImplementationVersion();
        return System.getProperty("plumbline.commit", release == null ? "dev" : release);
    }
}
