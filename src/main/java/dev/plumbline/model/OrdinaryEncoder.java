package dev.plumbline.model;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.djl.huggingface.tokenizers.jni.CharSpan;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The native tokenizer without special tokens. Long texts are cut where the tokenizer cuts them anyway: it is several
 * times faster on pieces that stay in the processor's cache. Thread-safe.
 */
final class OrdinaryEncoder implements AutoCloseable {
    private static final int CHUNK = 8192;
    /** Text without word boundaries is cut after this many characters, lest one message blocks a core for minutes. */
    private static final int LONGEST = 1 << 18;

    private static final String FLAVOR = "RUST_FLAVOR";

    private final HuggingFaceTokenizer tokenizer;
    private final boolean cutsBeforeSpace;
    private final boolean cutsAfterNewline;
    /** Held for reading while native code runs, so that closing cannot pull the tokenizer from under it. */
    private final ReadWriteLock open = new ReentrantReadWriteLock();

    private boolean closed;

    /**
     * Builds the native tokenizer.
     *
     * @param json a {@code tokenizer.json} without added tokens
     * @param cuttable whether its normalisation looks at no more than neighbouring characters
     */
    OrdinaryEncoder(String json, boolean cuttable) throws IOException {
        keepLibraryOffTheGpu();
        // Without these options the library silently cuts every text at 512 tokens.
        Map<String, String> options = Map.of("truncation", "false", "padding", "false");
        this.tokenizer = HuggingFaceTokenizer.newInstance(
                new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), options);
        this.cutsBeforeSpace = cuttable && cutsAfterFirst("a b");
        this.cutsAfterNewline = cuttable && cutsAfterFirst("\na") && cutsAfterFirst("\n\u4e00");
    }

    /** Token ids of well-formed text. */
    int[] encode(String text) {
        int[] ids = new int[text.length() / 3 + 16];
        int count = 0;
        for (int from = 0; from < text.length(); ) {
            int to = cut(text, from);
            long[] part = ids(text.substring(from, to));
            if (count + part.length > ids.length) {
                ids = Arrays.copyOf(ids, Math.max(count + part.length, ids.length * 2));
            }
            for (long id : part) {
                ids[count++] = Math.toIntExact(id);
            }
            from = to;
        }
        return Arrays.copyOf(ids, count);
    }

    /** Frees the native memory, once running calls are done. */
    @Override
    public void close() {
        open.writeLock().lock();
        try {
            closed = true;
            tokenizer.close();
        } finally {
            open.writeLock().unlock();
        }
    }

    /**
     * The first place from {@code from + CHUNK} on where the tokenizer separates words in any context, or the end; after
     * {@link #LONGEST} characters without one, the next place between two characters.
     */
    private int cut(String text, int from) {
        for (int at = from + CHUNK; at < Math.min(text.length() - 1, from + LONGEST); at++) {
            char before = text.charAt(at - 1);
            char after = text.charAt(at);
            boolean space = after == ' ' && isAsciiLetter(before) && isAsciiLetter(text.charAt(at + 1));
            boolean newline = before == '\n' && Character.isLetter(after);
            if (space && cutsBeforeSpace || newline && cutsAfterNewline) {
                return at;
            }
        }
        int forced = from + LONGEST;
        if (forced >= text.length()) {
            return text.length();
        }
        return Character.isLowSurrogate(text.charAt(forced)) ? forced + 1 : forced;
    }

    private static boolean isAsciiLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }

    private long[] ids(String text) {
        open.readLock().lock();
        try {
            if (closed) {
                throw new IllegalStateException("the tokenizer is closed");
            }
            // The library's own encode also copies every token's text and place, which takes most of the time.
            TokenizersLibrary library = TokenizersLibrary.LIB;
            long encoding = library.encode(tokenizer.getHandle(), text, false);
            try {
                return library.getTokenIds(encoding);
            } finally {
                library.deleteEncoding(encoding);
            }
        } finally {
            open.readLock().unlock();
        }
    }

    /**
     * On a machine with a GPU the library would try to download a CUDA build of itself. It takes this choice only from
     * the environment or from a system property, and reads it once.
     */
    private static void keepLibraryOffTheGpu() {
        if (System.getenv(FLAVOR) == null && System.getProperty(FLAVOR) == null) {
            System.setProperty(FLAVOR, "cpu");
        }
    }

    /** Whether no word of the tokenizer reaches from the first character of the sample into the rest. */
    private boolean cutsAfterFirst(String sample) {
        TokenizersLibrary library = TokenizersLibrary.LIB;
        long encoding = library.encode(tokenizer.getHandle(), sample, false);
        try {
            long[] words = library.getWordIds(encoding);
            CharSpan[] spans = library.getTokenCharSpans(encoding);
            long lastLeft = -1;
            long firstRight = Long.MAX_VALUE;
            for (int i = 0; i < words.length; i++) {
                if (spans[i] == null || spans[i].getStart() < 1 && spans[i].getEnd() > 1) {
                    return false;
                }
                if (spans[i].getStart() < 1) {
                    lastLeft = Math.max(lastLeft, words[i]);
                } else {
                    firstRight = Math.min(firstRight, words[i]);
                }
            }
            return lastLeft >= 0 && lastLeft < firstRight;
        } finally {
            library.deleteEncoding(encoding);
        }
    }
}
