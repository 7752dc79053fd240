package dev.plumbline.engine;

/** The smoke test of a new lane found its results wrong on this device. */
public final class LaneSmokeException extends LaneException {
    private static final long serialVersionUID = 1L;

    LaneSmokeException(LaneKey key, String finding) {
        super(key, "failed its smoke test: " + finding, null);
    }
}
