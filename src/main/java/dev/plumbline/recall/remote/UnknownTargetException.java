package dev.plumbline.recall.remote;

import dev.plumbline.document.Words;

/** No target has this id or name. */
public final class UnknownTargetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String name;

    UnknownTargetException(String idOrName) {
        super("No target '" + Words.shown(idOrName) + "' exists; GET /api/targets lists all.", null, false, false);
        this.name = idOrName;
    }

    /** The id or name that was asked for. */
    public String name() {
        return name;
    }
}
