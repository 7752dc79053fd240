package dev.plumbline.api;

import dev.plumbline.conversation.PageRequest;
import dev.plumbline.http.Ids;
import dev.plumbline.http.ListJson;
import dev.plumbline.http.PageParser;
import dev.plumbline.http.ServedModel;
import dev.plumbline.http.SmallBody;
import dev.plumbline.recall.compare.Commands;
import dev.plumbline.recall.compare.Comparisons;
import dev.plumbline.recall.compare.StoredComparison;
import dev.plumbline.recall.report.ComparisonJson;
import dev.plumbline.recall.report.ComparisonReport;
import dev.plumbline.recall.suite.stored.StoredSuite;
import dev.plumbline.recall.suite.stored.SuiteStore;
import dev.plumbline.security.Caller;
import java.util.Set;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code /api/compare} and {@code /api/comparisons} but their exports. */
@Component
final class ComparisonsHandler {
    private static final String KIND = "comparison";

    private final Comparisons comparisons;
    private final SuiteStore suites;
    private final ServedModel served;
    private final SmallBody body;

    ComparisonsHandler(Comparisons comparisons, SuiteStore suites, ServedModel served, SmallBody body) {
        this.comparisons = comparisons;
        this.suites = suites;
        this.served = served;
        this.body = body;
    }

    Mono<ServerResponse> compare(ServerRequest request) {
        ComparisonParser.Question question = ComparisonParser.question(request);
        return comparisons
                .judge(
                        question.rule(),
                        question.runs(),
                        judgement ->
                                ComparisonJson.of(new ComparisonReport(judgement, Commands.compare(question.runs()))))
                .flatMap(SmallBody::answer);
    }

    Mono<ServerResponse> start(ServerRequest request) {
        return request.principal().ofType(Caller.class).flatMap(caller -> body.read(request)
                .map(ComparisonParser::wish)
                .doOnNext(wish -> served.loaded())
                .flatMap(wish -> suites.one(wish.suite())
                        .map(StoredSuite::suite)
                        .flatMap(suite -> comparisons.start(wish.by(caller.userName(), suite)))
                        .onErrorMap(new SideRefusal(wish.baseline(), wish.candidate())::named))
                .flatMap(started -> answer(HttpStatus.ACCEPTED, StoredComparisonJson.of(started))));
    }

    Mono<ServerResponse> list(ServerRequest request) {
        PageRequest page = PageParser.of(request, Set.of()).page(false);
        PageParser.requireIdAfter(page, "a comparison");
        return comparisons.page(page).flatMap(found -> SmallBody.answer(ListJson.of(found, StoredComparisonJson::of)));
    }

    Mono<ServerResponse> one(ServerRequest request) {
        return find(comparisons, request).flatMap(found -> comparisons
                .report(found.id())
                .map(report -> {
                    ObjectNode node = StoredComparisonJson.of(found);
                    node.set("report", JsonMapper.shared().readTree(report));
                    return node;
                })
                .defaultIfEmpty(StoredComparisonJson.of(found).putNull("report"))
                .flatMap(node -> answer(HttpStatus.OK, node)));
    }

    /** The comparison that a path names. */
    static Mono<StoredComparison> find(Comparisons comparisons, ServerRequest request) {
        return Ids.found(request, KIND, comparisons::find);
    }

    private static Mono<ServerResponse> answer(HttpStatus status, ObjectNode node) {
        return ServerResponse.status(status)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(node.toString());
    }
}
