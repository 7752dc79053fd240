package dev.plumbline.recall.remote;

import dev.plumbline.recall.CellRunner;
import dev.plumbline.recall.SuitePrompt;
import dev.plumbline.recall.result.NeedleTrace;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.trace.TextSpans;
import dev.plumbline.trace.TokenSpan;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks SGLang's native endpoint, by token ids of the tokenizer hosted here: so the prompt is the same to the token, and
 * whatever chat template the server has does not matter.
 */
final class GenerateCall {
    private static final Logger LOG = LoggerFactory.getLogger(GenerateCall.class);
    private static final String PATH = "/generate";

    /** Longer than the largest known ratio, so that some rows have entries; short, since all of it comes back. */
    private static final int PROBE_TOKENS = 24;

    /** Ids that the answer to the probe may have: 32 rows of 128 layers of 4,096. */
    private static final int MOST_PROBE_IDS = 1 << 24;

    private final ServerClient client;
    private final Backoff backoff;
    private final NativeTarget hosted;

    GenerateCall(ServerClient client, Backoff backoff, NativeTarget hosted) {
        this.client = client;
        this.backoff = backoff;
        this.hosted = hosted;
    }

    /** Finds out how the server lays selections out. Fails with {@link ServerFailure}, which says what to do. */
    Mono<IndexerShape> shape(int[] prompt) {
        int[] probe = Arrays.copyOf(prompt, Math.min(prompt.length, PROBE_TOKENS));
        return backoff.around(Mono.defer(() -> {
            IntStream.Builder ids = IntStream.builder();
            int[] count = {0};
            GenerateStream stream = new GenerateStream(client.words(), id -> {
                count[0]++;
                if (count[0] > MOST_PROBE_IDS) {
                    throw ServerFailure.lasting("its indexer_topk has more than " + MOST_PROBE_IDS + " ids for "
                            + probe.length + " tokens");
                }
                ids.accept(id);
            });
            long most = 2L * MOST_PROBE_IDS * Integer.BYTES;
            return client.read(PATH, body(probe, 1), in -> stream.read(in, most))
                    .map(reply -> {
                        if (!stream.toldSelections()) {
                            throw ServerFailure.lasting(
                                    "its answer has no meta_info.indexer_topk; SGLang gives it when it was"
                                            + " started with --enable-return-indexer-topk");
                        }
                        return IndexerShape.of(ids.build().toArray(), probe.length, Math.max(1, reply.answerTokens()));
                    });
        }));
    }

    /**
     * Asks a cell. Fails with {@link ServerFailure}.
     *
     * @param layerOf the model's number of the layers that select
     */
    Mono<GenerateReply> ask(SuitePrompt prompt, IndexerShape shape, IntUnaryOperator layerOf) {
        ObjectNode body = body(prompt.tokens(), CellRunner.ANSWER_TOKENS);
        List<List<TokenSpan>> spans = spans(prompt);
        int longest = prompt.tokens().length + CellRunner.ANSWER_TOKENS;
        return backoff.around(Mono.defer(() -> {
            NeedleHits hits = new NeedleHits(shape, spans, prompt.tokens().length, CellRunner.ANSWER_TOKENS);
            GenerateStream stream = new GenerateStream(client.words(), hits);
            return client.read(PATH, body, in -> stream.read(in, shape.mostBytes(longest)))
                    .map(reply -> new GenerateReply(reply, traces(stream, hits, layerOf, prompt)));
        }));
    }

    /** The answer counts even where its selections cannot be read; the log says why they are missing. */
    private static List<NeedleTrace> traces(
            GenerateStream stream, NeedleHits hits, IntUnaryOperator layerOf, SuitePrompt prompt) {
        try {
            if (stream.toldSelections()) {
                return hits.traces(layerOf);
            }
            LOG.warn(
                    "The answer to {} came without meta_info.indexer_topk",
                    prompt.cell().id());
        } catch (ServerFailure e) {
            LOG.warn("The selections of {} cannot be read: {}", prompt.cell().id(), e.getMessage());
        }
        return List.of();
    }

    private List<List<TokenSpan>> spans(SuitePrompt prompt) {
        byte[][] bytes = Arrays.stream(prompt.tokens())
                .mapToObj(hosted.tokenizer()::bytes)
                .toArray(byte[][]::new);
        TextSpans text = new TextSpans(bytes);
        return prompt.expected().stream().map(text::find).toList();
    }

    private ObjectNode body(int[] prompt, int maxTokens) {
        ObjectNode body = JsonMapper.shared().createObjectNode();
        ArrayNode ids = body.putArray("input_ids");
        Arrays.stream(prompt).forEach(ids::add);
        ObjectNode sampling =
                body.putObject("sampling_params").put("temperature", 0).put("max_new_tokens", maxTokens);
        sampling.putArray("stop_token_ids").add(hosted.encoding().endOfSentence());
        return body.put("stream", true).put("return_indexer_topk", true);
    }
}
