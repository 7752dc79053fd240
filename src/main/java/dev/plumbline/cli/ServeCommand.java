package dev.plumbline.cli;

import dev.plumbline.database.Database;
import dev.plumbline.ops.Server;
import dev.plumbline.recall.remote.TargetNetworks;
import dev.plumbline.runconfig.Pins;
import dev.plumbline.runconfig.RunConfigException;
import dev.plumbline.security.Access;
import dev.plumbline.security.ApiKey;
import dev.plumbline.security.Credentials;
import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetLoader;
import dev.plumbline.target.TargetOptions;
import dev.plumbline.target.TargetSlot;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code serve}: the HTTP server. */
@Command(name = "serve", mixinStandardHelpOptions = true, description = "Serves a model over an OpenAI-compatible API.")
final class ServeCommand implements Callable<Integer> {
    private static final String KEY_VARIABLE = "PLUMBLINE_API_KEY";
    private static final Duration GRACE = Duration.ofSeconds(8);
    private static final Duration HARD_END = Duration.ofSeconds(18);
    private static final int MAX_PORT = 65_535;

    @Spec
    private CommandSpec spec;

    @Mixin
    private TargetMixin target;

    @Mixin
    private PinOptions pinned;

    @Mixin
    private DataMixin data;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "8000",
            description = "0 takes a free one (default: 8000).")
    private int port;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Interface to listen on (default: this machine only).")
    private String host;

    @Option(
            names = "--rate-limit",
            paramLabel = "N",
            description = "Most requests a minute of a key that has no limit of its own (default: no limit).")
    private Integer rateLimit;

    @Option(
            names = "--behind-proxy",
            description = "Believes the X-Forwarded headers of requests: only for a proxy that replaces them.")
    private boolean behindProxy;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        requireFreePort();
        requireRateLimit();
        requireTargetNetworks();
        TargetOptions options = target.options();
        Pins pins = pinned.pins(options.flags(), System.getenv());
        TargetLoader loader = new TargetLoader(ModelLocator.standard(), notice -> print(out, notice));
        // Before anything listens: a wrong flag should not cost the start of a server.
        loader.check(options);
        try (Server server = start(out, pins)) {
            NativeTarget loaded = load(server, loader, options);
            print(out, readyLine(server.port(), loaded));
            server.awaitClose();
        }
        return 0;
    }

    private static NativeTarget load(Server server, TargetLoader loader, TargetOptions options) {
        try {
            return server.load(loader, options);
        } catch (RunConfigException e) {
            throw new CliException(e.getMessage());
        }
    }

    private Server start(PrintWriter out, Pins pins) {
        Database database = data.open();
        try {
            Access access = new Access(operatorKey(), rateLimit, made -> announce(out, made));
            Runtime.getRuntime().addShutdownHook(new Thread(ServeCommand::endForSure, "hard-end"));
            return Server.start(
                    new Server.Settings(host, port, GRACE, behindProxy), access, new TargetSlot(), database, pins);
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    /** Asked before anything is started or printed, since the web server's own failure is a page of text. */
    private void requireFreePort() {
        if (port < 0 || port > MAX_PORT) {
            throw new CliException("port is " + port + "; allowed: 0 to " + MAX_PORT);
        }
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new CliException("host is " + host + "; allowed: a name or address of this machine");
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(address);
        } catch (IOException e) {
            throw new CliException("cannot listen on " + host + " port " + port + " (" + e.getMessage()
                    + "); --port and --host choose another");
        }
    }

    private void requireRateLimit() {
        if (rateLimit != null && rateLimit < 1) {
            throw new CliException("rate-limit is " + rateLimit + "; allowed: at least 1");
        }
    }

    private static void requireTargetNetworks() {
        try {
            TargetNetworks.of(System.getenv(TargetNetworks.VARIABLE));
        } catch (IllegalArgumentException e) {
            throw new CliException(e.getMessage());
        }
    }

    private static Optional<ApiKey> operatorKey() {
        String chosen = System.getenv(KEY_VARIABLE);
        if (chosen == null || chosen.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(ApiKey.of(chosen));
        } catch (IllegalArgumentException e) {
            throw new CliException(KEY_VARIABLE + ": " + e.getMessage());
        }
    }

    private static void announce(PrintWriter out, Credentials made) {
        print(out, "First start: these are shown once; ./plumbline reset-admin makes new ones.");
        CredentialsText.print(out, made);
    }

    private String readyLine(int bound, NativeTarget loaded) {
        String shown = host.contains(":") ? "[" + host + "]" : host;
        return "Ready: http://" + shown + ":" + bound + "/v1 serves " + loaded.name() + " on "
                + loaded.status().backend() + " (" + loaded.status().description() + ")";
    }

    private static void print(PrintWriter out, String line) {
        out.println(line);
        out.flush();
    }

    /** A kernel that does not return must not keep the process: whoever sent the signal counts on its end. */
    private static void endForSure() {
        Thread timer = new Thread(ServeCommand::haltLater, "hard-end-timer");
        timer.setDaemon(true);
        timer.start();
    }

    private static void haltLater() {
        try {
            Thread.sleep(HARD_END.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(1);
    }
}
