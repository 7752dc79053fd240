package dev.plumbline.target;

import dev.plumbline.trace.Stage;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What an answer is to tell of the indexer's selections.
 *
 * @param queries which queries are asked about
 * @param stage only queries of this stage; null = of both
 * @param layers only these layers; empty = every layer that selects
 * @param watch texts of the prompt whose entries are watched; none of them empty
 * @param entries whether to tell the ids of all selected entries
 */
public record SelectionOptions(Queries queries, Stage stage, Set<Integer> layers, List<String> watch, boolean entries) {

    /** Queries of a conversation. */
    public enum Queries {
        /** Tokens of the last user message. */
        QUESTION,
        /** Generated tokens. */
        ANSWER,
        /** The last token of the prompt, whose logits give the first token of the answer. */
        LAST,
        /** Every token. */
        ALL;

        /** Stages that can compute them. */
        public Set<Stage> stages() {
            return switch (this) {
                case QUESTION, LAST -> EnumSet.of(Stage.PREFILL);
                case ANSWER -> EnumSet.of(Stage.DECODE);
                case ALL -> EnumSet.allOf(Stage.class);
            };
        }
    }

    /** Copies the collections. */
    public SelectionOptions {
        layers = Set.copyOf(layers);
        watch = List.copyOf(watch);
        if (stage != null && !queries.stages().contains(stage)) {
            throw new IllegalArgumentException(stage + " computes no query of " + queries);
        }
    }

    /** Stages asked about. */
    Set<Stage> stages() {
        return stage == null ? queries.stages() : EnumSet.of(stage);
    }
}
