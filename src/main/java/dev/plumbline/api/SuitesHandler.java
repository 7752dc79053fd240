package dev.plumbline.api;

import dev.plumbline.conversation.PageRequest;
import dev.plumbline.http.ApiException;
import dev.plumbline.http.ListJson;
import dev.plumbline.http.PageParser;
import dev.plumbline.http.Refusal;
import dev.plumbline.http.ServedModel;
import dev.plumbline.http.SmallBody;
import dev.plumbline.http.YamlBody;
import dev.plumbline.recall.NativeCells;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.SuiteStratum;
import dev.plumbline.recall.suite.SuiteYaml;
import dev.plumbline.recall.suite.stored.StoredSuite;
import dev.plumbline.recall.suite.stored.SuitePlan;
import dev.plumbline.recall.suite.stored.SuiteRef;
import dev.plumbline.recall.suite.stored.SuiteStore;
import dev.plumbline.security.Caller;
import dev.plumbline.target.NativeTarget;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code /api/suites}. */
@Component
final class SuitesHandler {
    private static final int MOST_SEEDS = 20;
    private static final String SEEDS = "([0-9]{1,18})(,[0-9]{1,18}){0," + (MOST_SEEDS - 1) + "}";

    private final SuiteStore suites;
    private final ServedModel served;
    private final SmallBody body;

    SuitesHandler(SuiteStore suites, ServedModel served, SmallBody body) {
        this.suites = suites;
        this.served = served;
        this.body = body;
    }

    Mono<ServerResponse> create(ServerRequest request) {
        return request.principal()
                .ofType(Caller.class)
                .flatMap(caller ->
                        body.bytes(request).flatMap(bytes -> suites.save(suite(request, bytes), caller.userName())))
                .flatMap(
                        saved -> SmallBody.answer(SuiteJson.suite(saved.suite()).put("new_version", saved.created())));
    }

    /** A version may be left out here: the database gives one. */
    private Suite suite(ServerRequest request, byte[] bytes) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("version", 1L);
        body.document(request, bytes, SuiteYaml.LIMIT)
                .forEach((field, value) -> document.put(String.valueOf(field), value));
        if (document.get("version") == null) {
            document.put("version", 1L);
        }
        return SuiteYaml.of(document);
    }

    Mono<ServerResponse> list(ServerRequest request) {
        PageRequest page = PageParser.of(request, Set.of()).page(true);
        PageParser.requireAfter(page, after -> SuiteRef.of(after).isPresent(), "the id or name of a suite");
        PageRequest byName = page.after() == null
                ? page
                : new PageRequest(
                        page.limit(), SuiteRef.parse("after", page.after()).name(), page.ascending());
        return suites.page(byName).flatMap(found -> SmallBody.answer(ListJson.of(found, SuiteJson::suite)));
    }

    Mono<ServerResponse> versions(ServerRequest request) {
        String name = named(request);
        PageRequest page = PageParser.of(request, Set.of()).page(false);
        PageParser.requireAfter(page, after -> isVersion(name, after), "the id of a version of it");
        PageRequest byVersion = page.after() == null
                ? page
                : new PageRequest(page.limit(), page.after().substring(name.length() + 1), page.ascending());
        return suites.versions(name, byVersion)
                .flatMap(found -> SmallBody.answer(ListJson.of(found, SuiteJson::suite)));
    }

    private static boolean isVersion(String name, String text) {
        return SuiteRef.of(text)
                .filter(ref -> ref.name().equals(name) && ref.version() != null)
                .isPresent();
    }

    Mono<ServerResponse> one(ServerRequest request) {
        return stored(request, Set.of("version")).flatMap(stored -> SmallBody.answer(SuiteJson.suite(stored)));
    }

    Mono<ServerResponse> export(ServerRequest request) {
        return stored(request, Set.of("version"))
                .map(StoredSuite::suite)
                .flatMap(suite -> YamlBody.file(
                        suite.name() + "-" + suite.version() + ".yaml",
                        SuiteYaml.write(suite).getBytes(StandardCharsets.UTF_8)));
    }

    Mono<ServerResponse> plan(ServerRequest request) {
        NativeTarget target = served.loaded();
        return stored(request, Set.of("version", "seeds"))
                .map(stored -> SuitePlan.of(
                        stored.suite(), NativeCells.edges(target.status().config()), seeds(request, stored.suite())))
                .flatMap(plan -> SmallBody.answer(
                        SuiteJson.plan(plan, target.name(), target.status().maxContext())));
    }

    private static List<Long> seeds(ServerRequest request, Suite suite) {
        String text = request.queryParams().getFirst("seeds");
        if (text == null) {
            return List.of(1L);
        }
        if (!text.matches(SEEDS)) {
            throw PageParser.refused("seeds", text, "1 to " + MOST_SEEDS + " numbers with commas between them");
        }
        List<Long> seeds = Stream.of(text.split(",")).map(Long::valueOf).toList();
        long cells = suite.strata().stream().mapToLong(SuiteStratum::cells).sum() * seeds.size();
        if (cells > Suite.MOST_CELLS) {
            throw PageParser.refused(
                    "seeds", text, "so many that there are at most " + Suite.MOST_CELLS + " cells, not " + cells);
        }
        return seeds;
    }

    private Mono<StoredSuite> stored(ServerRequest request, Set<String> parameters) {
        String version = PageParser.only(request, parameters).text("version");
        if (version != null && !version.matches("[1-9][0-9]{0,8}")) {
            throw PageParser.refused("version", version, "a number from 1 up");
        }
        return suites.one(new SuiteRef(named(request), version == null ? null : Integer.valueOf(version)));
    }

    /** What cannot be a name does not exist. */
    private static String named(ServerRequest request) {
        String text = request.pathVariable("name");
        return SuiteRef.of(text)
                .filter(ref -> ref.version() == null)
                .map(SuiteRef::name)
                .orElseThrow(() -> ApiException.invalid(
                        HttpStatus.NOT_FOUND,
                        "suite",
                        "suite_not_found",
                        "No suite '" + Refusal.shorten(text) + "' exists; a name has 1 to 63 of a-z, 0-9 and hyphens,"
                                + " and ?version= names a version."));
    }
}
