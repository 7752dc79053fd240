package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.precision.TopkAlgorithm;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A real backend with a fault: one algorithm of the selection leaves entry 0 out of what it found. */
final class LyingTopK {
    private LyingTopK() {}

    static Kernels on(Kernels real, TopkAlgorithm faulty) {
        return (Kernels) Proxy.newProxyInstance(
                Kernels.class.getClassLoader(), new Class<?>[] {Kernels.class}, (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(real, arguments);
                        if (method.getName().equals("topK") && arguments[2] == faulty) {
                            real.upload(new int[] {-1}, 0, 1, (Tensor) arguments[3], 0);
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
