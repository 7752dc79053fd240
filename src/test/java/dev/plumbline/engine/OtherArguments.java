package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.UnaryOperator;

/** A real backend with a fault: one kernel gets other arguments than the engine gave. */
final class OtherArguments {
    private OtherArguments() {}

    static Kernels on(Kernels real, String kernel, UnaryOperator<Object> change) {
        return (Kernels) Proxy.newProxyInstance(
                Kernels.class.getClassLoader(), new Class<?>[] {Kernels.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals(kernel)) {
                        for (int i = 0; i < arguments.length; i++) {
                            arguments[i] = change.apply(arguments[i]);
                        }
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
