package dev.plumbline.recall;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The texts that needles are hidden in. Counts tokens once, so one source serves one model. */
public final class FillerSource {
    private final List<FillerText> texts;

    private FillerSource(List<FillerText> texts) {
        this.texts = texts;
    }

    /** The built-in texts that the embedded model never met. */
    static FillerSource heldOut(Haystack haystack) {
        return new FillerSource(haystack.heldOutFiller().stream()
                .map(filler -> new FillerText(filler.name(), filler.text()))
                .toList());
    }

    /** Those of them that are configuration files. */
    static FillerSource heldOutConfiguration(Haystack haystack) {
        return new FillerSource(haystack.heldOutFiller().stream()
                .filter(filler -> filler.kind().equals("config"))
                .map(filler -> new FillerText(filler.name(), filler.text()))
                .toList());
    }

    /** A text of the caller's own. */
    public static FillerSource of(String name, String text) {
        return new FillerSource(List.of(new FillerText(name, text)));
    }

    /**
     * A user's own text file, in UTF-8.
     *
     * @throws IllegalArgumentException if the file is missing, no text, or holds nothing to read
     */
    public static FillerSource file(Path file) {
        String text = read(file);
        if (text.isBlank()) {
            throw new IllegalArgumentException(file + " holds no text; needles need lines to hide between");
        }
        return of(String.valueOf(file.getFileName()), text);
    }

    List<FillerText> texts() {
        return texts;
    }

    private static String read(Path file) {
        if (!Files.exists(file)) {
            throw new IllegalArgumentException(file + " does not exist; give the path of a text file");
        }
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException(file + " is no file; give the path of a text file");
        }
        try {
            byte[] bytes = Files.readAllBytes(file);
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            int nul = text.indexOf('\0');
            if (nul >= 0) {
                throw new IllegalArgumentException(file + " is no text: a NUL byte stands at character " + nul);
            }
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + " is no UTF-8 text; convert it first", e);
        } catch (IOException | OutOfMemoryError e) {
            throw new IllegalArgumentException(file + " cannot be read: " + e, e);
        }
    }
}
