package dev.plumbline.recall.remote;

import dev.plumbline.document.Words;

/** No target has this id or name. */
public final class UnknownTargetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownTargetException(String idOrName) {
        super("No target '" + Words.shown(idOrName) + "' exists; GET /api/targets lists all.", null, false, false);
    }
}
