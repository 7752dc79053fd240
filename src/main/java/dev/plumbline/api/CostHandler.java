package dev.plumbline.api;

import dev.plumbline.engine.Architectures;
import dev.plumbline.engine.EngineStatus;
import dev.plumbline.http.ApiException;
import dev.plumbline.http.PageParser;
import dev.plumbline.http.ServedModel;
import dev.plumbline.http.SmallBody;
import dev.plumbline.precision.Architecture;
import dev.plumbline.precision.CostInputException;
import dev.plumbline.precision.CostReport;
import dev.plumbline.precision.CostTerms;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.runconfig.ConfigProfile;
import dev.plumbline.runconfig.NewRunConfig;
import dev.plumbline.runconfig.RunConfigYaml;
import dev.plumbline.runconfig.RunConfigs;
import dev.plumbline.target.NativeTarget;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** What a run config costs in memory, saved or not, against the profile that is served. */
@Component
final class CostHandler {
    private static final Set<String> PARAMETERS = Set.of("model", "budget_gib", "window_share");

    private final RunConfigs configs;
    private final ServedModel served;
    private final SmallBody body;

    CostHandler(RunConfigs configs, ServedModel served, SmallBody body) {
        this.configs = configs;
        this.served = served;
        this.body = body;
    }

    Mono<ServerResponse> saved(ServerRequest request) {
        Question question = question(request);
        return configs.one(RunConfigsHandler.reference(request))
                .flatMap(config -> SmallBody.answer(
                        CostJson.of(question.report(config.profile())).put("run_config", config.id())));
    }

    /** The body is that of a run config to be made; a name is not needed. */
    Mono<ServerResponse> draft(ServerRequest request) {
        Question question = question(request);
        return body.bytes(request)
                .map(bytes -> {
                    Map<String, Object> document = new LinkedHashMap<>();
                    document.put("name", "draft");
                    body.document(request, bytes, RunConfigYaml.LIMIT)
                            .forEach((field, value) -> document.put(String.valueOf(field), value));
                    return NewRunConfig.of(document);
                })
                .flatMap(draft -> SmallBody.answer(
                        CostJson.of(question.report(draft.profile())).putNull("run_config")));
    }

    /** Which model, on which terms, and what it is compared with. */
    private record Question(Architecture model, PrecisionProfile base, CostTerms terms) {
        CostReport report(ConfigProfile profile) {
            return CostReport.of(
                    model,
                    PrecisionProfile.baseline(model.indexTopk()).with(profile.at(model.indexTopk())),
                    base,
                    terms);
        }
    }

    private Question question(ServerRequest request) {
        PageParser parser = PageParser.only(request, PARAMETERS);
        NativeTarget target = served.loaded();
        EngineStatus status = target.status();
        return new Question(
                model(parser.text("model"), target.name(), status),
                status.profile(),
                terms(parser.text("window_share"), parser.text("budget_gib")));
    }

    private static Architecture model(String asked, String loaded, EngineStatus status) {
        if (asked == null || asked.equals(loaded)) {
            return Architectures.of(loaded, status.config());
        }
        if (asked.equals(Architecture.V4_FLASH.name())) {
            return Architecture.V4_FLASH;
        }
        throw PageParser.refused("model", asked, loaded + ", " + Architecture.V4_FLASH.name());
    }

    private static CostTerms terms(String windowShare, String budgetGib) {
        try {
            return CostTerms.parse(windowShare, budgetGib);
        } catch (CostInputException e) {
            throw ApiException.badRequest(
                    e.field(), "invalid_value", "Invalid value for '" + e.field() + "': " + e.getMessage() + ".");
        }
    }
}
