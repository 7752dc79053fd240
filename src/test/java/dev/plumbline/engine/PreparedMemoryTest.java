package dev.plumbline.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.engine.MeasuringKernels.Allocation;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.kernel.reference.ReferenceKernels;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PreparedMemoryTest {
    private volatile Thread thread;

    @Test
    void tensorsAreTouchedOnAnotherThreadAndHandedOutInTheirOrder() {
        try (Kernels real = new ReferenceKernels(1);
                PreparedMemory prepared = new PreparedMemory()) {
            // given
            List<Tensor> touched = new ArrayList<>();
            Kernels watched = watching(real, touched);
            List<DType> types = List.of(DType.FP32, DType.BYTE, DType.INT32, DType.BF16);

            // when
            types.forEach(type -> prepared.add(new Allocation(type, List.of(3L, 4L)), watched));
            prepared.touch(watched).join();

            // then
            assertThat(touched).extracting(Tensor::dtype).isEqualTo(types);
            assertThat(thread).isNotNull().isNotSameAs(Thread.currentThread());
            assertThatThrownBy(() -> prepared.kernels().allocate(DType.BYTE, 3, 4))
                    .hasMessageContaining("was not prepared");
            for (int i = 0; i < types.size(); i++) {
                assertThat(prepared.kernels().allocate(types.get(i), 3, 4)).isSameAs(touched.get(i));
            }
            touched.forEach(Tensor::close);
        }
    }

    private Kernels watching(Kernels real, List<Tensor> touched) {
        return (Kernels) Proxy.newProxyInstance(
                Kernels.class.getClassLoader(), new Class<?>[] {Kernels.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("touch")) {
                        thread = Thread.currentThread();
                        touched.add((Tensor) arguments[0]);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
