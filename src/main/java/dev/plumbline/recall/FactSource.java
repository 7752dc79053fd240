package dev.plumbline.recall;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Draws the facts of one cell from held-out words: no key and no secret comes twice. */
final class FactSource {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{(\\w+)}");
    private static final int DRAWS = 200;
    private static final String CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String HEX = "0123456789abcdef";

    private final Haystack haystack;
    private final ToIntFunction<String> tokens;
    private final Random random;
    private final Set<Subject> subjects = new HashSet<>();
    private final Set<String> secrets = new HashSet<>();

    FactSource(Haystack haystack, ToIntFunction<String> tokens, Random random) {
        this.haystack = haystack;
        this.tokens = tokens;
        this.random = random;
    }

    /** A subject of either kind. */
    Subject subject() {
        return subject(random.nextBoolean() ? Subject.OBJECT : Subject.SETTING);
    }

    /** A setting, as configuration files have them. */
    Subject setting() {
        return subject(Subject.SETTING);
    }

    private Subject subject(String kind) {
        for (int draw = 0; draw < DRAWS; draw++) {
            String pattern = pick(haystack.keys().get(kind));
            List<String> words = PLACEHOLDER
                    .matcher(pattern)
                    .results()
                    .map(match -> word(match.group(1)))
                    .toList();
            Subject subject = new Subject(kind, attribute(kind), pattern, words);
            if (new HashSet<>(words).size() == words.size() && subjects.add(subject)) {
                return subject;
            }
        }
        throw new IllegalStateException("the word lists have no further " + kind);
    }

    /** A subject whose key or attribute differs from the model's in exactly one word. */
    Subject lookAlike(Subject model) {
        for (int draw = 0; draw < DRAWS; draw++) {
            Subject other = changed(model, random.nextInt(model.words().size() + (isObject(model) ? 1 : 0)));
            if (new HashSet<>(other.words()).size() == other.words().size() && subjects.add(other)) {
                return other;
            }
        }
        throw new IllegalStateException("the word lists have no further look-alike of " + model.key());
    }

    private Subject changed(Subject model, int at) {
        if (at == model.words().size()) {
            return new Subject(model.kind(), attribute(model.kind()), model.pattern(), model.words());
        }
        Matcher placeholder = PLACEHOLDER.matcher(model.pattern());
        for (int i = 0; i <= at; i++) {
            placeholder.find();
        }
        List<String> words = new ArrayList<>(model.words());
        words.set(at, word(placeholder.group(1)));
        return new Subject(model.kind(), model.attribute(), model.pattern(), List.copyOf(words));
    }

    /** A value of at least the data file's token count; where no draw has that many, the longest drawn. */
    String secret() {
        String longest = "";
        for (int draw = 0; draw < DRAWS; draw++) {
            String secret = spell(pick(haystack.secrets()));
            if (secrets.contains(secret)) {
                continue;
            }
            if (longest.isEmpty() || tokens.applyAsInt(secret) > tokens.applyAsInt(longest)) {
                longest = secret;
            }
            if (tokens.applyAsInt(longest) >= haystack.minSecretTokens()) {
                break;
            }
        }
        secrets.add(longest);
        return longest;
    }

    /** A wording for needles about a subject. */
    String wording(Subject subject) {
        return pick(haystack.wordings().get(subject.kind())).text();
    }

    /** A wording as configuration files have it. */
    String configWording(Subject setting) {
        List<Haystack.Wording> wordings = haystack.wordings().get(setting.kind()).stream()
                .filter(wording -> wording.style().equals("config"))
                .toList();
        return pick(wordings).text();
    }

    /** Says that {@code subject} has {@code value}. */
    String needle(Subject subject, String wording, String value) {
        return subject.fill(wording, value, time());
    }

    /** Asks after the one value of a subject. */
    String question(Subject subject) {
        return subject.fill(pick(haystack.questions().get(subject.kind()).one()), "", "");
    }

    /** Asks after every value of a subject. */
    String questionAfterAll(Subject subject) {
        return subject.fill(pick(haystack.questions().get(subject.kind()).all()), "", "");
    }

    private String spell(String pattern) {
        StringBuilder secret = new StringBuilder();
        for (char c : pattern.toCharArray()) {
            switch (c) {
                case 'W' -> secret.append(word("code"));
                case 'A' -> secret.append(CAPITALS.charAt(random.nextInt(CAPITALS.length())));
                case '9' -> secret.append(random.nextInt(10));
                case 'x' -> secret.append(HEX.charAt(random.nextInt(HEX.length())));
                default -> secret.append(c);
            }
        }
        return secret.toString();
    }

    private String time() {
        return String.format(
                Locale.ROOT,
                "%d-%02d-%02d %02d:%02d:%02d",
                2010 + random.nextInt(20),
                1 + random.nextInt(12),
                1 + random.nextInt(28),
                random.nextInt(24),
                random.nextInt(60),
                random.nextInt(60));
    }

    private String attribute(String kind) {
        return kind.equals(Subject.OBJECT) ? word("attribute") : "";
    }

    private static boolean isObject(Subject subject) {
        return subject.kind().equals(Subject.OBJECT);
    }

    private String word(String placeholder) {
        return pick(haystack.heldOutWords(Subject.wordList(placeholder)));
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
