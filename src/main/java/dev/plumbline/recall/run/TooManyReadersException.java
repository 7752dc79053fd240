package dev.plumbline.recall.run;

/** Too many want to read whole runs; soon they may. */
public final class TooManyReadersException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyReadersException(int waiting) {
        super(waiting + " others wait for whole runs", null, false, false);
    }
}
