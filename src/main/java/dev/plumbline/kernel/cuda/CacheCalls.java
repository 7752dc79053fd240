package dev.plumbline.kernel.cuda;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.CompressorWeights;
import dev.plumbline.kernel.KeyTransform;
import dev.plumbline.kernel.Pool;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.kernel.Variant;
import java.util.Locale;

/** Launches that fill the caches; arguments have been checked. */
final class CacheCalls {
    private static final int THREADS = 128;

    private final Call call;

    CacheCalls(Call call) {
        this.call = call;
    }

    Variant transform(Tensor x, KeyTransform transform) {
        long d = x.dim(x.shape().length - 1);
        call.of(Kernel.TRANSFORM, "transform", "transform");
        call.number(d).number(transform.ordinal()).tensor(x);
        call.run(d == 0 ? 0 : x.elements() / d, 1, 1, THREADS, d * Float.BYTES);
        return call.variant("transform" + suffix(transform));
    }

    Variant windowKeys(Tensor x, Tensor weight, float eps, Tensor table, KeyTransform transform, Tensor out) {
        call.of(Kernel.WINDOW_KEYS, "window_keys", Call.typed("windowKeys", out));
        call.number(x.dim(1))
                .number(table.dim(1))
                .tensor(x)
                .tensor(weight)
                .real(eps)
                .tensor(table)
                .number(transform.ordinal())
                .tensor(out);
        call.run(x.dim(0), 1, 1, THREADS, x.dim(1) * Float.BYTES);
        return call.variant(Call.named("windowKeys", out) + suffix(transform));
    }

    Variant appendRing(Batch batch, Tensor source, Pool ring) {
        call.of(Kernel.APPEND_RING, "append_ring", "appendRing<" + Formats.type(ring) + ">")
                .launch()
                .batch(batch);
        call.tensor(source).pool(ring);
        call.run(batch.rows(), 1, 1, THREADS, (long) ring.format().width() * Float.BYTES);
        return call.variant("appendRing." + Formats.name(ring));
    }

    Variant compress(
            Batch batch,
            CompressorWeights weights,
            Tensor projected,
            Tensor state,
            Tensor pages,
            Pool pool,
            KeyTransform transform,
            Tensor shadow) {
        long d = weights.headDim();
        call.of(Kernel.COMPRESS, "compress", "compress<" + Formats.type(pool) + ">")
                .launch()
                .batch(batch);
        call.number(weights.ratio()).number(weights.series()).number(d);
        call.number(2 * weights.frequencies().dim(0)).tensor(weights.ape()).tensor(weights.norm());
        call.real(weights.eps()).tensor(weights.frequencies()).tensor(projected).tensor(state);
        call.number(state.dim(0)).pages(pages, pool.data()).pool(pool);
        call.number(transform.ordinal()).tensor(shadow);
        call.run(batch.rows(), 1, 1, THREADS, d * Float.BYTES);
        return call.variant("compress." + Formats.name(pool) + suffix(transform));
    }

    private static String suffix(KeyTransform transform) {
        return transform == KeyTransform.NONE ? "" : "." + transform.name().toLowerCase(Locale.ROOT);
    }
}
