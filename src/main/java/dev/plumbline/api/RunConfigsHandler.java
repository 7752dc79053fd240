package dev.plumbline.api;

import dev.plumbline.conversation.Page;
import dev.plumbline.conversation.PageRequest;
import dev.plumbline.http.ApiException;
import dev.plumbline.http.ListJson;
import dev.plumbline.http.PageParser;
import dev.plumbline.http.Refusal;
import dev.plumbline.http.ServedModel;
import dev.plumbline.http.SmallBody;
import dev.plumbline.http.YamlBody;
import dev.plumbline.runconfig.Activations;
import dev.plumbline.runconfig.ConfigDiff;
import dev.plumbline.runconfig.NewRunConfig;
import dev.plumbline.runconfig.RunConfig;
import dev.plumbline.runconfig.RunConfigException;
import dev.plumbline.runconfig.RunConfigRef;
import dev.plumbline.runconfig.RunConfigYaml;
import dev.plumbline.runconfig.RunConfigs;
import dev.plumbline.security.Caller;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code /api/run-configs} but what activates. */
@Component
final class RunConfigsHandler {
    private final RunConfigs configs;
    private final Activations activations;
    private final ServedModel served;
    private final SmallBody body;

    RunConfigsHandler(RunConfigs configs, Activations activations, ServedModel served, SmallBody body) {
        this.configs = configs;
        this.activations = activations;
        this.served = served;
        this.body = body;
    }

    Mono<ServerResponse> create(ServerRequest request) {
        return request.principal().ofType(Caller.class).flatMap(caller -> body.bytes(request)
                .map(bytes -> NewRunConfig.of(body.document(request, bytes, RunConfigYaml.LIMIT)))
                .flatMap(wanted -> configs.save(wanted, caller.userName()))
                .flatMap(saved ->
                        SmallBody.answer(RunConfigJson.config(saved.config()).put("new_version", saved.created()))));
    }

    Mono<ServerResponse> list(ServerRequest request) {
        PageRequest page = PageParser.of(request, Set.of()).page(true);
        PageParser.requireAfter(page, after -> parses(after), "the id or name of a run config");
        PageRequest byName = page.after() == null
                ? page
                : new PageRequest(
                        page.limit(), RunConfigRef.parse("after", page.after()).name(), page.ascending());
        return withActive(configs.page(byName));
    }

    Mono<ServerResponse> one(ServerRequest request) {
        return named(request).flatMap(config -> SmallBody.answer(RunConfigJson.config(config)));
    }

    Mono<ServerResponse> yaml(ServerRequest request) {
        return named(request)
                .flatMap(config -> YamlBody.file(
                        config.name() + "-" + config.version() + ".yaml",
                        RunConfigYaml.write(config).getBytes(StandardCharsets.UTF_8)));
    }

    Mono<ServerResponse> versions(ServerRequest request) {
        String name = reference(request).name();
        PageRequest page = PageParser.of(request, Set.of()).page(false);
        PageParser.requireAfter(page, after -> isVersion(name, after), "the id of a version of it");
        PageRequest byVersion = page.after() == null
                ? page
                : new PageRequest(page.limit(), page.after().substring(name.length() + 1), page.ascending());
        return withActive(configs.versions(name, byVersion));
    }

    private Mono<ServerResponse> withActive(Mono<Page<RunConfig>> page) {
        return page.zipWith(activations.active())
                .flatMap(both -> SmallBody.answer(ListJson.of(both.getT1(), RunConfigJson::config)
                        .put("active", both.getT2().toString())));
    }

    Mono<ServerResponse> diff(ServerRequest request) {
        PageParser parser = PageParser.only(request, Set.of("a", "b"));
        RunConfigRef one = required(parser, "a");
        RunConfigRef other = required(parser, "b");
        int budget = served.loaded().status().config().indexTopk();
        return Mono.zip(configs.one(one), configs.one(other))
                .map(both -> ConfigDiff.of(both.getT1(), both.getT2(), budget))
                .flatMap(diff -> SmallBody.answer(RunConfigJson.diff(diff)));
    }

    private static RunConfigRef required(PageParser parser, String parameter) {
        String text = parser.text(parameter);
        if (text == null) {
            throw ApiException.badRequest(
                    parameter,
                    "missing_required_parameter",
                    "Missing required parameter: '" + parameter + "'; allowed: " + RunConfigRef.ALLOWED + ".");
        }
        return RunConfigRef.parse(parameter, text);
    }

    private Mono<RunConfig> named(ServerRequest request) {
        return configs.one(reference(request));
    }

    /** What cannot be a name does not exist. */
    static RunConfigRef reference(ServerRequest request) {
        String text = request.pathVariable("name");
        if (!parses(text)) {
            throw ApiException.invalid(
                    HttpStatus.NOT_FOUND,
                    "run_config",
                    "run_config_not_found",
                    "No run config '" + Refusal.shorten(text) + "' exists; allowed: " + RunConfigRef.ALLOWED + ".");
        }
        return RunConfigRef.parse("name", text);
    }

    private static boolean parses(String text) {
        try {
            RunConfigRef.parse("name", text);
            return true;
        } catch (RunConfigException e) {
            return false;
        }
    }

    private static boolean isVersion(String name, String text) {
        return text.matches(name + "@[1-9][0-9]{0,8}");
    }
}
