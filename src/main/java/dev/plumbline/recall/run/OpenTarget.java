package dev.plumbline.recall.run;

import dev.plumbline.recall.CellTarget;
import dev.plumbline.target.NativeTarget;

/**
 * A target whose cells may be asked now.
 *
 * @param cells asks
 * @param engine the engine of this server if that is the target, or null
 */
record OpenTarget(CellTarget cells, NativeTarget engine) implements AutoCloseable {

    /** How many more cells may be handed over. */
    int room(int asked) {
        return engine == null ? cells.parallel() - asked : Room.left(engine.status(), cells.parallel(), asked);
    }

    /** Whether answers can be trusted to be answers: an engine that is closed has none. */
    boolean alive() {
        return engine == null || engine.running();
    }

    @Override
    public void close() {
        cells.close();
    }
}
