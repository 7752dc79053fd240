package dev.plumbline.ops;

import dev.plumbline.database.Database;
import dev.plumbline.runconfig.Pins;
import dev.plumbline.runconfig.Startup;
import dev.plumbline.security.Access;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetLoader;
import dev.plumbline.target.TargetOptions;
import dev.plumbline.target.TargetSlot;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.client.ReactorResourceFactory;

/** A running HTTP server. Takes over slot and database: they are closed with the server. */
public final class Server implements AutoCloseable {
    /**
     * Where to listen.
     *
     * @param host address or name of an interface
     * @param port 0 takes a free one
     * @param grace time that running requests have when the server ends
     * @param behindProxy whether to believe the {@code X-Forwarded} headers of requests
     */
    public record Settings(String host, int port, Duration grace, boolean behindProxy) {}

    private final ConfigurableApplicationContext context;
    private final CountDownLatch closed;

    private Server(ConfigurableApplicationContext context, CountDownLatch closed) {
        this.context = context;
        this.closed = closed;
    }

    /**
     * Listens; requests are told to wait until the slot is filled.
     */
    public static Server start(Settings settings, Access access, TargetSlot slot, Database database) {
        return start(settings, access, slot, database, Pins.NONE);
    }

    /** The same with flags or a run config that hold here whatever is activated. */
    public static Server start(Settings settings, Access access, TargetSlot slot, Database database, Pins pins) {
        CountDownLatch closed = new CountDownLatch(1);
        ApplicationListener<ContextClosedEvent> listener = event -> closed.countDown();
        ConfigurableApplicationContext context = new SpringApplicationBuilder(ServerConfiguration.class)
                .web(WebApplicationType.REACTIVE)
                .properties(Map.of(
                        "server.address",
                        settings.host(),
                        "server.port",
                        settings.port(),
                        "server.forward-headers-strategy",
                        settings.behindProxy() ? "native" : "none"))
                .initializers(empty -> beans((GenericApplicationContext) empty, settings, access, slot, database, pins))
                .listeners(listener)
                .run();
        return new Server(context, closed);
    }

    private static void beans(
            GenericApplicationContext context,
            Settings settings,
            Access access,
            TargetSlot slot,
            Database database,
            Pins pins) {
        context.registerBean(Pins.class, () -> pins);
        context.registerBean(Database.class, () -> database);
        context.registerBean(ReactorResourceFactory.class, Server::threads);
        context.registerBean(Access.class, () -> access);
        context.registerBean(TargetSlot.class, () -> slot);
        context.registerBean(Drain.class, () -> new Drain(settings.grace()));
    }

    /** Its own: those that Reactor Netty shares would end with the first of two servers. */
    private static ReactorResourceFactory threads() {
        ReactorResourceFactory factory = new ReactorResourceFactory();
        factory.setUseGlobalResources(false);
        factory.setShutdownQuietPeriod(Duration.ZERO);
        return factory;
    }

    /** The port it listens on. */
    public int port() {
        return ((WebServerApplicationContext) context).getWebServer().getPort();
    }

    /**
     * Loads a model with the run config that is to be served, and serves it; takes seconds. Throws what
     * {@link Startup#load} does.
     */
    public NativeTarget load(TargetLoader loader, TargetOptions options) {
        NativeTarget target = context.getBean(Startup.class).load(loader, options);
        slot().fill(target);
        return target;
    }

    /** Where the target belongs once it is loaded. */
    public TargetSlot slot() {
        return context.getBean(TargetSlot.class);
    }

    /** Waits until something closes the server. */
    public void awaitClose() throws InterruptedException {
        closed.await();
    }

    @Override
    public void close() {
        context.close();
    }
}
