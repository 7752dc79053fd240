package dev.plumbline.model;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Decodes UTF-8 that arrives in pieces; an incomplete sequence waits for its rest. Not thread-safe. */
final class Utf8Decoder {
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);

    private byte[] waiting = {};

    /** The text that these bytes complete; invalid ones become U+FFFD. */
    String decode(byte[] bytes) {
        return decode(bytes, false);
    }

    /** The rest: U+FFFD if a sequence never became complete. */
    String finish() {
        return decode(new byte[0], true);
    }

    /** Whether a sequence waits for its rest. */
    boolean midCharacter() {
        return waiting.length > 0;
    }

    private String decode(byte[] bytes, boolean last) {
        ByteBuffer in = ByteBuffer.allocate(waiting.length + bytes.length);
        in.put(waiting).put(bytes).flip();
        CharBuffer out = CharBuffer.allocate(in.remaining() + 1);
        decoder.reset();
        CoderResult result = decoder.decode(in, out, last);
        if (result.isOverflow()) {
            throw new IllegalStateException("UTF-8 never has more characters than bytes");
        }
        if (last) {
            decoder.flush(out);
        }
        waiting = new byte[in.remaining()];
        in.get(waiting);
        return out.flip().toString();
    }
}
