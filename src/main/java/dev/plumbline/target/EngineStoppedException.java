package dev.plumbline.target;

/** The engine takes nothing in any more. */
public final class EngineStoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EngineStoppedException(IllegalStateException cause) {
        super(cause.getMessage(), cause);
    }
}
