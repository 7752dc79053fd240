package dev.plumbline.model;

import java.util.List;

/** A model file cannot be used. Says everything that is wrong with it at once, so that one look suffices to repair it. */
public final class InvalidModelException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 100;

    private final transient List<String> problems;

    InvalidModelException(String subject, List<String> problems) {
        super(message(subject, problems));
        this.problems = List.copyOf(problems);
    }

    InvalidModelException(String subject, String problem, Throwable cause) {
        super(message(subject, List.of(problem)), cause);
        this.problems = List.of(problem);
    }

    /** Every problem found, in the order of the file; the message shows only the first hundred of a long list. */
    public List<String> problems() {
        return problems;
    }

    static void throwIfAny(String subject, List<String> problems) {
        if (!problems.isEmpty()) {
            throw new InvalidModelException(subject, problems);
        }
    }

    private static String message(String subject, List<String> problems) {
        if (problems.size() == 1) {
            return subject + ": " + problems.get(0);
        }
        StringBuilder text = new StringBuilder(subject + ": " + problems.size() + " problems");
        problems.stream().limit(SHOWN).forEach(problem -> text.append("\n- ").append(problem));
        if (problems.size() > SHOWN) {
            text.append("\n- and ").append(problems.size() - SHOWN).append(" more");
        }
        return text.toString();
    }
}
