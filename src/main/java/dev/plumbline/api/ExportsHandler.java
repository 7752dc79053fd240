package dev.plumbline.api;

import dev.plumbline.http.Refusal;
import dev.plumbline.recall.compare.Commands;
import dev.plumbline.recall.compare.Comparisons;
import dev.plumbline.recall.report.ComparisonReport;
import dev.plumbline.recall.report.RunReport;
import dev.plumbline.recall.run.RunStore;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Runs and comparisons as files. */
@Component
final class ExportsHandler {
    private static final MediaType CSV = MediaType.parseMediaType("text/csv;charset=UTF-8");
    private static final MediaType MARKDOWN = MediaType.parseMediaType("text/markdown;charset=UTF-8");
    private static final MediaType XML = MediaType.parseMediaType("application/xml;charset=UTF-8");

    private final RunStore runs;
    private final Comparisons comparisons;

    ExportsHandler(RunStore runs, Comparisons comparisons) {
        this.runs = runs;
        this.comparisons = comparisons;
    }

    Mono<ServerResponse> runCsv(ServerRequest request) {
        return run(request, CSV, "csv", RunReport::csv);
    }

    Mono<ServerResponse> runJson(ServerRequest request) {
        return run(request, MediaType.APPLICATION_JSON, "json", RunReport::json);
    }

    Mono<ServerResponse> runJUnit(ServerRequest request) {
        return run(request, XML, "junit.xml", RunReport::junit);
    }

    Mono<ServerResponse> runMarkdown(ServerRequest request) {
        return run(request, MARKDOWN, "md", RunReport::markdown);
    }

    private Mono<ServerResponse> run(
            ServerRequest request, MediaType type, String ending, Function<RunReport, String> writer) {
        return RunsHandler.run(runs, request).flatMap(run -> runs.record(run.id())
                .publishOn(Schedulers.boundedElastic())
                .map(record -> writer.apply(new RunReport(record, Commands.run(run))))
                .switchIfEmpty(Mono.error(
                        () -> Refusal.notFound(RunsHandler.KIND, run.id().toString())))
                .flatMap(text -> file(type, "run-" + run.id() + "." + ending, text)));
    }

    /** Kept with the verdict, so that it outlives its runs. */
    Mono<ServerResponse> comparisonJson(ServerRequest request) {
        return ComparisonsHandler.find(comparisons, request).flatMap(found -> comparisons
                .report(found.id())
                .switchIfEmpty(comparisons.judge(found).then(Mono.empty()))
                .flatMap(report -> file(MediaType.APPLICATION_JSON, "comparison-" + found.id() + ".json", report)));
    }

    Mono<ServerResponse> comparisonJUnit(ServerRequest request) {
        return comparison(request, XML, "junit.xml", ComparisonReport::junit);
    }

    Mono<ServerResponse> comparisonMarkdown(ServerRequest request) {
        return comparison(request, MARKDOWN, "md", ComparisonReport::markdown);
    }

    private Mono<ServerResponse> comparison(
            ServerRequest request, MediaType type, String ending, Function<ComparisonReport, String> writer) {
        return ComparisonsHandler.find(comparisons, request).flatMap(found -> comparisons
                .judge(found)
                .publishOn(Schedulers.boundedElastic())
                .map(judgement -> writer.apply(new ComparisonReport(judgement, Commands.gate(found))))
                .flatMap(text -> file(type, "comparison-" + found.id() + "." + ending, text)));
    }

    /** Answers of models may hold anything: browsers store them and never show them. */
    private static Mono<ServerResponse> file(MediaType type, String name, String text) {
        return ServerResponse.ok()
                .contentType(type)
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"" + name + "\"")
                .bodyValue(text.getBytes(StandardCharsets.UTF_8));
    }
}
