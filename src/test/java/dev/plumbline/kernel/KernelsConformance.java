package dev.plumbline.kernel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The conformance kit of the {@link Kernels} contract. A backend passes when a subclass of this class does. Expected
 * values come from {@link Oracle}, double precision, which shares no code with any backend.
 */
public abstract class KernelsConformance
        implements MemoryConformance,
                DenseConformance,
                RotationConformance,
                HyperConformance,
                RingConformance,
                CompressConformance,
                IndexConformance,
                SelectionConformance,
                AttentionConformance,
                RoutingConformance,
                SamplingConformance,
                DeterminismConformance,
                PaddingConformance,
                FlagConformance,
                RefusalConformance {

    private Kit kit;

    @Override
    public abstract Kernels backend(int threads);

    @BeforeEach
    void openBackend() {
        kit = new Kit(backend(2));
    }

    @AfterEach
    void closeBackend() {
        kit.kernels().close();
    }

    @Override
    public Kit kit() {
        return kit;
    }
}
