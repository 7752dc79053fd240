package dev.plumbline.testing;

import dev.plumbline.database.Database;
import dev.plumbline.model.TinyModel;
import dev.plumbline.ops.Server;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.runconfig.Pins;
import dev.plumbline.security.Access;
import dev.plumbline.security.ApiKey;
import dev.plumbline.security.Credentials;
import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetLoader;
import dev.plumbline.target.TargetOptions;
import dev.plumbline.target.TargetSlot;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** The real server on a free port with a tiny real model on the reference backend. */
public final class TestServer implements AutoCloseable {
    /** The key it takes. */
    public static final String KEY = "test-key-4492";

    private final HttpClient http = HttpClient.newHttpClient();
    private final Server server;

    private final String key;

    private TestServer(Server server, String key) {
        this.server = server;
        this.key = key;
    }

    /** Listens without a model. */
    public static TestServer loading() {
        return loading(TestDatabase.open(), KEY);
    }

    /** Listens without a model; takes over the database. */
    public static TestServer loading(Database database, String key) {
        return loading(database, key, made -> {});
    }

    /** Listens without a model; {@code announced} gets the administrator's secrets if the database is new. */
    public static TestServer loading(Database database, String key, Consumer<Credentials> announced) {
        return loading(database, key, new Access(Optional.of(ApiKey.of(key)), null, announced), false);
    }

    /** Listens without a model; the key must be one that {@code access} lets in. */
    public static TestServer loading(Database database, String key, Access access, boolean behindProxy) {
        return loading(database, key, access, behindProxy, Pins.NONE);
    }

    /** Listens without a model, with flags or a run config of its own. */
    public static TestServer pinned(Database database, Pins pins) {
        return loading(database, KEY, new Access(Optional.of(ApiKey.of(KEY)), null, made -> {}), false, pins);
    }

    private static TestServer loading(Database database, String key, Access access, boolean behindProxy, Pins pins) {
        Server.Settings settings = new Server.Settings("127.0.0.1", 0, Duration.ofSeconds(1), behindProxy);
        return new TestServer(Server.start(settings, access, new TargetSlot(), database, pins), key);
    }

    /** Serves {@link TinyModel}, called by its folder's name. */
    public static TestServer serving(Path folder, int sequences, int waiting) throws IOException {
        return serving(folder, sequences, waiting, TinyModel.CONTEXT);
    }

    /** The same with a context of so many tokens. */
    public static TestServer serving(Path folder, int sequences, int waiting, int context) throws IOException {
        TestServer started = loading();
        started.load(folder, sequences, waiting, context);
        return started;
    }

    /** Serves the embedded model on the fastest backend. */
    public static TestServer embedded() {
        return embedded(TargetOptions.DEFAULT_MODEL);
    }

    /** Serves an embedded model on the fastest backend. */
    public static TestServer embedded(String model) {
        TestServer started = loading();
        TargetOptions options = TargetOptions.defaults(model);
        started.server.load(new TargetLoader(ModelLocator.standard(), notice -> {}), options);
        return started;
    }

    /** The same server, asked with another key. */
    public TestServer with(String otherKey) {
        return new TestServer(server, otherKey);
    }

    /** Loads {@link TinyModel} into a server that has none. */
    public void load(Path folder, int sequences, int waiting) throws IOException {
        load(folder, sequences, waiting, TinyModel.CONTEXT);
    }

    private void load(Path folder, int sequences, int waiting, int context) throws IOException {
        TargetOptions options = new TargetOptions(
                TinyModel.write(folder, context).toString(),
                "reference",
                2,
                null,
                sequences,
                waiting,
                PartialProfile.empty());
        load(options);
    }

    /** Loads a model into a server that has none. */
    public void load(TargetOptions options) {
        server.load(new TargetLoader(ModelLocator.standard(), notice -> {}), options);
    }

    /** The loaded target. */
    public NativeTarget target() {
        return server.slot().target().orElseThrow();
    }

    /** Where it listens, without a path. */
    public String url() {
        return "http://127.0.0.1:" + server.port();
    }

    /** The header that has the key. */
    public String authorization() {
        return "Bearer " + key;
    }

    /** A request with the key. */
    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url() + path)).header("Authorization", authorization());
    }

    /** Posts a chat completion. */
    public HttpResponse<String> chat(byte[] body) throws IOException, InterruptedException {
        return send(request("/v1/chat/completions")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
    }

    /** Sends a request. */
    public HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        server.close();
    }
}
