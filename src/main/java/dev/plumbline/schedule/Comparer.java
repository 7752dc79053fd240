package dev.plumbline.schedule;

import dev.plumbline.recall.suite.Suite;
import dev.plumbline.runconfig.RunConfigRef;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Compares two run configs; takes minutes, and goes on when a server ends. */
interface Comparer {

    /**
     * What to compare.
     *
     * @param candidate a version
     * @param baseline a version
     * @param margin the loss that is accepted; null for the usual one
     * @param owner name of a user
     */
    record Question(Suite suite, RunConfigRef candidate, RunConfigRef baseline, Double margin, String owner) {}

    /**
     * What was found.
     *
     * @param summary in a sentence
     */
    record Finding(Verdict verdict, String summary) {}

    /** Nothing can be begun now, but soon. */
    final class NotYetException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotYetException(Throwable reason) {
            super(reason.getMessage(), reason, false, false);
        }
    }

    /** Keeps what a comparison was begun for. */
    @FunctionalInterface
    interface Begun {
        /** Notes it in the transaction that stores the comparison; what this throws undoes all. */
        void note(JdbcClient client, UUID comparison);
    }

    /**
     * Begins; the comparison is stored when this returns, together with what is noted of it.
     *
     * @throws NotYetException while the model is loading or the database does not answer
     * @throws RuntimeException with words for people if it is refused, and what {@code begun} throws
     */
    void start(Question question, Begun begun);

    /** What was found, once it is. */
    Optional<Finding> finding(UUID comparison);
}
