package dev.plumbline.recall.remote;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a server speaks. */
public enum TargetKind {
    /** OpenAI's chat completions. */
    OPENAI,
    /** These, and SGLang's native endpoints. */
    SGLANG;

    /** Its name in the API and in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<TargetKind> of(String text) {
        return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
    }

    static String allowed() {
        return Arrays.stream(values()).map(TargetKind::text).collect(Collectors.joining(", "));
    }
}
