package dev.plumbline.schedule;

import io.netty.resolver.AbstractAddressResolver;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;

/**
 * Looks names up and passes on only addresses that {@link Networks} allows. The connection goes to exactly those, so a
 * name cannot lead elsewhere between the check and the call.
 */
final class GuardedResolver extends AddressResolverGroup<InetSocketAddress> {
    private final Networks networks;

    GuardedResolver(Networks networks) {
        this.networks = networks;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new Guarded(executor, DefaultAddressResolverGroup.INSTANCE.getResolver(executor));
    }

    private final class Guarded extends AbstractAddressResolver<InetSocketAddress> {
        private final AddressResolver<InetSocketAddress> names;

        Guarded(EventExecutor executor, AddressResolver<InetSocketAddress> names) {
            super(executor, InetSocketAddress.class);
            this.names = names;
        }

        /** Written addresses are checked like those of names. */
        @Override
        protected boolean doIsResolved(InetSocketAddress address) {
            return false;
        }

        @Override
        protected void doResolve(InetSocketAddress name, Promise<InetSocketAddress> promise) {
            all(name, promise, found -> promise.setSuccess(found.get(0)));
        }

        @Override
        protected void doResolveAll(InetSocketAddress name, Promise<List<InetSocketAddress>> promise) {
            all(name, promise, promise::setSuccess);
        }

        private void all(InetSocketAddress name, Promise<?> promise, Consumer<List<InetSocketAddress>> use) {
            if (!name.isUnresolved()) {
                pass(List.of(name), promise, use);
                return;
            }
            names.resolveAll(name).addListener((Future<List<InetSocketAddress>> found) -> {
                if (found.isSuccess()) {
                    pass(found.getNow(), promise, use);
                } else {
                    promise.setFailure(found.cause());
                }
            });
        }

        private void pass(List<InetSocketAddress> found, Promise<?> promise, Consumer<List<InetSocketAddress>> use) {
            List<InetSocketAddress> allowed = found.stream()
                    .filter(address -> networks.allows(address.getAddress()))
                    .toList();
            if (allowed.isEmpty()) {
                promise.setFailure(new ForbiddenAddressException());
            } else {
                use.accept(allowed);
            }
        }
    }
}
