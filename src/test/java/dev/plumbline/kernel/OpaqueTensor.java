package dev.plumbline.kernel;

import java.util.concurrent.atomic.AtomicBoolean;

/** A tensor whose elements the host may not see, unless the tensor or one that it is a view of was declared readable. */
final class OpaqueTensor implements Tensor {
    private final Tensor inner;
    private final AtomicBoolean readable;

    private OpaqueTensor(Tensor inner, AtomicBoolean readable) {
        this.inner = inner;
        this.readable = readable;
    }

    OpaqueTensor(Tensor inner) {
        this(inner, new AtomicBoolean());
    }

    static Tensor unwrap(Tensor tensor) {
        return tensor == null ? null : ((OpaqueTensor) tensor).inner;
    }

    void allow() {
        readable.set(true);
    }

    boolean isReadable() {
        return readable.get();
    }

    @Override
    public DType dtype() {
        return inner.dtype();
    }

    @Override
    public long[] shape() {
        return inner.shape();
    }

    @Override
    public Tensor rows(long from, long to) {
        return new OpaqueTensor(inner.rows(from, to), readable);
    }

    @Override
    public Tensor reshape(long... shape) {
        return new OpaqueTensor(inner.reshape(shape), readable);
    }

    @Override
    public void close() {
        inner.close();
    }

    @Override
    public String toString() {
        return "opaque " + inner;
    }
}
