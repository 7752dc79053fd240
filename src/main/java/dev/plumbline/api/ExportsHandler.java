package dev.plumbline.api;

import dev.plumbline.http.Refusal;
import dev.plumbline.recall.compare.Commands;
import dev.plumbline.recall.compare.Comparisons;
import dev.plumbline.recall.report.ComparisonReport;
import dev.plumbline.recall.report.RunReport;
import dev.plumbline.recall.run.RunStore;
import dev.plumbline.recall.run.WholeRuns;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Runs and comparisons as files. */
@Component
final class ExportsHandler {
    private static final MediaType CSV = MediaType.parseMediaType("text/csv;charset=UTF-8");
    private static final MediaType MARKDOWN = MediaType.parseMediaType("text/markdown;charset=UTF-8");
    private static final MediaType XML = MediaType.parseMediaType("application/xml;charset=UTF-8");

    private final RunStore runs;
    private final WholeRuns whole;
    private final Comparisons comparisons;
    private final ExportBudget budget;

    ExportsHandler(RunStore runs, WholeRuns whole, Comparisons comparisons, ExportBudget budget) {
        this.runs = runs;
        this.whole = whole;
        this.comparisons = comparisons;
        this.budget = budget;
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
        return RunsHandler.run(runs, request).flatMap(run -> ComparisonParser.question(request, run.id())
                .map(this::against)
                .orElseGet(() -> run(request, MARKDOWN, "md", RunReport::markdown)));
    }

    /** A run against its baseline: the verdict, both sides and what was lost. */
    private Mono<ServerResponse> against(ComparisonParser.Question question) {
        return comparisons
                .judge(
                        question.rule(),
                        question.runs(),
                        judgement ->
                                bytes(new ComparisonReport(judgement, Commands.compare(question.runs())).markdown()))
                .flatMap(bytes -> file(MARKDOWN, "run-" + question.runs().candidate() + ".md", bytes));
    }

    private Mono<ServerResponse> run(
            ServerRequest request, MediaType type, String ending, Function<RunReport, String> writer) {
        return RunsHandler.run(runs, request).flatMap(run -> whole.reading(() -> whole.record(run.id())
                        .map(record -> bytes(writer.apply(new RunReport(record, Commands.run(run)))))
                        .orElse(null))
                .switchIfEmpty(Mono.error(
                        () -> Refusal.notFound(RunsHandler.KIND, run.id().toString())))
                .flatMap(bytes -> file(type, "run-" + run.id() + "." + ending, bytes)));
    }

    /** Kept with the verdict, so that it outlives its runs. */
    Mono<ServerResponse> comparisonJson(ServerRequest request) {
        return ComparisonsHandler.find(comparisons, request).flatMap(found -> comparisons
                .report(found.id())
                .switchIfEmpty(comparisons.judge(found, judgement -> true).then(Mono.empty()))
                .flatMap(report ->
                        file(MediaType.APPLICATION_JSON, "comparison-" + found.id() + ".json", bytes(report))));
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
                .judge(found, judgement -> bytes(writer.apply(new ComparisonReport(judgement, Commands.gate(found)))))
                .flatMap(bytes -> file(type, "comparison-" + found.id() + "." + ending, bytes)));
    }

    /** Answers of models may hold anything: browsers store them and never show them. */
    private Mono<ServerResponse> file(MediaType type, String name, byte[] text) {
        return ServerResponse.ok()
                .contentType(type)
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"" + name + "\"")
                .contentLength(text.length)
                .body(budget.send(text), byte[].class);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
