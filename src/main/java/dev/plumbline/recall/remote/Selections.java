package dev.plumbline.recall.remote;

import dev.plumbline.model.AttentionKind;
import dev.plumbline.model.LayerSpec;
import dev.plumbline.target.NativeTarget;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Whether a server tells what its indexer selected.
 *
 * @param shape how; null if it does not
 * @param layers the model's numbers of the layers that select, in order
 * @param note how, or why not, in words
 */
record Selections(IndexerShape shape, List<Integer> layers, String note) {

    static Selections none(String reason) {
        return new Selections(null, List.of(), "not told: " + reason);
    }

    /** Numbered as the hosted model's layers where it has as many that select, else by their order. */
    static Selections of(IndexerShape shape, NativeTarget hosted) {
        List<LayerSpec> all = hosted.status().config().layers();
        List<Integer> own = IntStream.range(0, all.size())
                .filter(layer -> all.get(layer).attention() == AttentionKind.CSA)
                .boxed()
                .toList();
        boolean same = own.size() == shape.layers();
        List<Integer> layers =
                same ? own : IntStream.range(0, shape.layers()).boxed().toList();
        return new Selections(
                shape,
                layers,
                "told: " + shape.layers() + " layers, numbered "
                        + (same ? "as those of " + hosted.name() : "by their order among those that select")
                        + ", at most " + shape.topk() + " entries of " + shape.ratio() + " tokens");
    }

    IntUnaryOperator layerOf() {
        return layers::get;
    }
}
