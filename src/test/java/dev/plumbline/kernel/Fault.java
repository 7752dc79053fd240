package dev.plumbline.kernel;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** A backend of which one variant is wrong: whatever it wrote is spoiled a little after each call. Notes what served. */
public final class Fault {
    private final Kernels inner;
    private final String variant;
    private final Set<String> served;

    private Fault(Kernels inner, String variant, Set<String> served) {
        this.inner = inner;
        this.variant = variant;
        this.served = served;
    }

    /** The backend with a fault in the variant of that id. */
    public static Kernels in(String variant, Kernels inner) {
        return proxy(new Fault(inner, variant, new HashSet<>()));
    }

    /** The backend as it is, with the ids of the variants that serve put into a set. */
    static Kernels noting(Set<String> served, Kernels inner) {
        return proxy(new Fault(inner, null, served));
    }

    private static Kernels proxy(Fault fault) {
        return (Kernels) Proxy.newProxyInstance(
                Kernels.class.getClassLoader(),
                new Class<?>[] {Kernels.class},
                (proxy, method, arguments) -> fault.call(method, arguments));
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
        Object result;
        try {
            result = method.invoke(inner, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (result instanceof Variant by) {
            served.add(by.id());
            if (by.id().equals(variant)) {
                spoil(output(method.getName(), arguments));
            }
        }
        return result;
    }

    /** What a kernel writes: its last tensor or pool, but for those that also return counts or shadows. */
    private static Object output(String kernel, Object[] arguments) {
        return switch (kernel) {
            case "compress" -> arguments[5];
            case "topK" -> arguments[3];
            case "attention" -> arguments[8];
            case "transform" -> arguments[0];
            default ->
                Arrays.stream(arguments)
                        .filter(argument -> argument instanceof Tensor || argument instanceof Pool)
                        .reduce((first, second) -> second)
                        .orElseThrow();
        };
    }

    private void spoil(Object output) {
        if (output instanceof Pool pool && !pool.format().plain()) {
            byte[] all = new byte[Math.toIntExact(pool.data().elements())];
            inner.download(pool.data(), 0, all, 0, all.length);
            for (int i = 0; i < all.length; i++) {
                all[i] ^= all[i] == 0 ? 0 : 1;
            }
            inner.upload(all, 0, all.length, pool.data(), 0);
            return;
        }
        Tensor tensor = output instanceof Pool pool ? pool.data() : (Tensor) output;
        int n = Math.toIntExact(tensor.elements());
        if (tensor.dtype() == DType.INT32) {
            int[] all = new int[n];
            inner.download(tensor, 0, all, 0, n);
            for (int i = 0; i < n; i++) {
                all[i]++;
            }
            inner.upload(all, 0, n, tensor, 0);
        } else {
            float[] all = new float[n];
            inner.download(tensor, 0, all, 0, n);
            for (int i = 0; i < n; i++) {
                all[i] *= 1.01f;
            }
            inner.upload(all, 0, n, tensor, 0);
        }
    }
}
