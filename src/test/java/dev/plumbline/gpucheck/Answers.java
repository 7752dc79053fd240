package dev.plumbline.gpucheck;

import dev.plumbline.engine.FinishReason;
import dev.plumbline.recall.Asker;
import dev.plumbline.recall.CellRunner;
import dev.plumbline.recall.Prompt;
import dev.plumbline.recall.Reply;
import dev.plumbline.recall.Scorer;
import dev.plumbline.target.NativeTarget;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What a model answered to prompts.
 *
 * @param texts the answers in the order of the prompts
 * @param passed how many are right
 */
record Answers(List<String> texts, int passed) {
    /** Prompts at once: an answer's bits do not depend on what else a step computes. */
    private static final int TOGETHER = 8;

    /** Copies the list. */
    Answers {
        texts = List.copyOf(texts);
    }

    /** Asks a loaded model. */
    static Answers of(NativeTarget target, List<Prompt> prompts) {
        Asker asker = new Asker(target.engine(), Set.of(target.encoding().endOfSentence()));
        Queue<CompletableFuture<Reply>> running = new ArrayDeque<>();
        List<Reply> replies = new ArrayList<>();
        for (Prompt prompt : prompts) {
            if (running.size() == TOGETHER) {
                replies.add(running.remove().join());
            }
            running.add(asker.submit(prompt.tokens(), CellRunner.ANSWER_TOKENS));
        }
        running.forEach(reply -> replies.add(reply.join()));
        Scorer scorer = Scorer.exact();
        List<String> texts = new ArrayList<>();
        int passed = 0;
        for (int i = 0; i < prompts.size(); i++) {
            String text = target.tokenizer().decode(replies.get(i).tokens());
            texts.add(text);
            boolean ended = replies.get(i).reason() != FinishReason.LENGTH;
            passed += ended && scorer.score(prompts.get(i), text).passed() ? 1 : 0;
        }
        return new Answers(texts, passed);
    }

    /** How many answers are the same text. */
    int equalTo(Answers other) {
        int same = 0;
        for (int i = 0; i < texts.size(); i++) {
            same += texts.get(i).equals(other.texts.get(i)) ? 1 : 0;
        }
        return same;
    }
}
