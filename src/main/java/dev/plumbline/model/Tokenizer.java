package dev.plumbline.model;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Text to token ids and back, from a byte-level BPE {@code tokenizer.json}. Thread-safe.
 *
 * <p>{@link #encode} knows no special tokens at all: text that looks like one becomes ordinary tokens, so no message can
 * forge a turn. Special ids come only from {@link #special}. Every added token of the file counts as special.
 */
public final class Tokenizer implements AutoCloseable {
    private static final byte[] NOTHING = {};

    private final OrdinaryEncoder ordinary;
    private final Map<String, Integer> specials;
    private final boolean[] special;
    private final byte[][] bytes;

    private Tokenizer(OrdinaryEncoder ordinary, TokenizerFile file) {
        this.ordinary = ordinary;
        this.specials = Map.copyOf(file.added());
        int size = file.vocabulary().size();
        this.special = new boolean[size];
        file.added().values().forEach(id -> special[id] = true);
        this.bytes = new byte[size][];
        ByteAlphabet alphabet = new ByteAlphabet();
        for (int id = 0; id < size; id++) {
            String spelled = file.vocabulary().get(id);
            bytes[id] = spelled == null ? NOTHING : alphabet.bytes(spelled);
        }
    }

    /**
     * Loads a tokenizer.
     *
     * @throws InvalidModelException if the file is missing, broken, or no byte-level BPE
     */
    public static Tokenizer load(Path tokenizerJson) {
        TokenizerFile file = TokenizerFile.read(tokenizerJson);
        try {
            return new Tokenizer(new OrdinaryEncoder(file.ordinary(), file.cuttable()), file);
        } catch (IOException | RuntimeException e) {
            String subject = String.valueOf(tokenizerJson.getFileName());
            throw new InvalidModelException(subject, "cannot be loaded: " + e.getMessage(), e);
        }
    }

    /** Token ids of ordinary text of any length; never a special id. A lone surrogate counts as U+FFFD. */
    public int[] encode(String text) {
        int[] ids = ordinary.encode(wellFormed(text));
        return Arrays.stream(ids).anyMatch(this::isSpecial) ? withoutSpecials(ids) : ids;
    }

    /**
     * The id of a special token.
     *
     * @throws IllegalArgumentException naming the token if this tokenizer lacks it
     */
    public int special(String text) {
        Integer id = specials.get(text);
        if (id == null) {
            throw new IllegalArgumentException("the tokenizer has no special token " + text);
        }
        return id;
    }

    /** Whether an id is a special token's; false for ids the tokenizer does not know. */
    public boolean isSpecial(int id) {
        return id >= 0 && id < special.length && special[id];
    }

    /** How a special token is written, or empty for any other id. */
    public Optional<String> specialText(int id) {
        if (!isSpecial(id)) {
            return Optional.empty();
        }
        return specials.entrySet().stream()
                .filter(entry -> entry.getValue() == id)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /**
     * The UTF-8 bytes a token stands for, perhaps only a part of a character. Empty for special tokens and for ids
     * without a token: the model's vocabulary may be padded.
     */
    public byte[] bytes(int id) {
        return id >= 0 && id < bytes.length ? bytes[id].clone() : NOTHING;
    }

    /** The text of a sequence without its special tokens; invalid UTF-8 becomes U+FFFD. */
    public String decode(int[] ids) {
        ByteArrayOutputStream all = new ByteArrayOutputStream(ids.length * 4);
        for (int id : ids) {
            all.writeBytes(bytes(id));
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    /** One more than the highest id. */
    public int vocabSize() {
        return bytes.length;
    }

    /** Frees the native memory, once running calls are done. */
    @Override
    public void close() {
        ordinary.close();
    }

    /**
     * Spells out special tokens that merges produced: a vocabulary may hold the text of an added token. One character
     * alone is never such a text, unless the token is that character; then it is dropped.
     */
    private int[] withoutSpecials(int[] ids) {
        List<Integer> kept = new ArrayList<>(ids.length);
        for (int id : ids) {
            if (!isSpecial(id)) {
                kept.add(id);
                continue;
            }
            specials.forEach((text, specialId) -> {
                if (specialId == id) {
                    text.codePoints().forEach(c -> {
                        for (int part : ordinary.encode(Character.toString(c))) {
                            if (!isSpecial(part)) {
                                kept.add(part);
                            }
                        }
                    });
                }
            });
        }
        return kept.stream().mapToInt(Integer::intValue).toArray();
    }

    private static String wellFormed(String text) {
        StringBuilder repaired = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) {
                continue;
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
                continue;
            }
            repaired = repaired == null ? new StringBuilder(text) : repaired;
            repaired.setCharAt(i, '\uFFFD');
        }
        return repaired == null ? text : repaired.toString();
    }
}
