package dev.plumbline.recall.remote;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Server-sent events of JSON as JSON documents one after the other: without the field names that lines begin with, and
 * ending where {@code [DONE]} stands. JSON has no line break inside a string, so a line's beginning is one. Passes events
 * of any length.
 */
final class EventJson extends FilterInputStream {
    private static final String DATA = "data:";
    private final long most;
    private long taken;
    private boolean lineBegins = true;
    private boolean ended;

    /** @param most bytes after which the stream has failed */
    EventJson(InputStream events, long most) {
        super(events);
        this.most = most;
    }

    @Override
    public int read() throws IOException {
        int next = ended ? -1 : take();
        if (next >= 0 && lineBegins && next != '\n' && next != '\r') {
            next = behindFieldName(next);
        }
        lineBegins = next == '\n' || next == '\r';
        return next;
    }

    private int take() throws IOException {
        taken++;
        if (taken > most) {
            throw ServerFailure.lasting("it sent more than " + most + " bytes where less was due");
        }
        return super.read();
    }

    /** The first byte of a line's data; of a line that has none, its end. */
    private int behindFieldName(int first) throws IOException {
        lineBegins = false;
        int next = first;
        int matched = 0;
        while (matched < DATA.length() && next == DATA.charAt(matched)) {
            next = take();
            matched++;
        }
        if (matched < DATA.length()) {
            // A comment, or another field: not ours.
            while (next >= 0 && next != '\n' && next != '\r') {
                next = take();
            }
            return next;
        }
        while (next == ' ') {
            next = take();
        }
        if (next == '[') {
            ended = true;
            return -1;
        }
        return next;
    }

    /** A few bytes at a time as they come: whoever reads wants the first event before the last. */
    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int count = 0;
        while (count < length && (count == 0 || in.available() > 0)) {
            int next = read();
            if (next < 0) {
                break;
            }
            bytes[from + count] = (byte) next;
            count++;
        }
        return count == 0 && length > 0 ? -1 : count;
    }
}
