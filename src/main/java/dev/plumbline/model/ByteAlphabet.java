package dev.plumbline.model;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The alphabet in which byte-level BPE vocabularies spell bytes: printable Latin-1 stands for itself, the other 68 bytes
 * are moved up from U+0100 in order.
 */
final class ByteAlphabet {
    private static final int LAST = 0x100 + 68;

    private final char[] characters = new char[256];
    private final int[] bytes = new int[LAST];

    ByteAlphabet() {
        Arrays.fill(bytes, -1);
        int moved = 0x100;
        for (int b = 0; b < 256; b++) {
            boolean printable = b >= '!' && b <= '~' || b >= 0xa1 && b <= 0xac || b >= 0xae;
            characters[b] = (char) (printable ? b : moved++);
            bytes[characters[b]] = b;
        }
    }

    /** The character that spells a byte. */
    char character(int unsignedByte) {
        return characters[unsignedByte];
    }

    /** The bytes a vocabulary entry spells; a character outside the alphabet stands for its own UTF-8. */
    byte[] bytes(String spelled) {
        ByteArrayOutputStream result = new ByteArrayOutputStream(spelled.length());
        spelled.codePoints().forEach(c -> {
            if (c < LAST && bytes[c] >= 0) {
                result.write(bytes[c]);
            } else {
                result.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
            }
        });
        return result.toByteArray();
    }
}
