package dev.plumbline.recall.batch;

import dev.plumbline.recall.suite.SuiteCell;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How much there is to do for cells, to tell how far a run is: in tokens of prompts, as long as computing one takes. Of a text
 * only the first cell has its whole prompt computed, and writing prompts and answers takes long too: at 160 tokens nearly all of
 * the time.
 */
public final class CellWork {
    /** A prompt's question and an answer of a dozen tokens, in tokens of prompts. */
    private static final int CELL = 1000;
    /** A text that is filled to its length, in tokens of prompts. */
    private static final int TEXT = 500;

    private final Set<String> firsts = new HashSet<>();
    private final long total;

    /** Work of cells that are asked in this order. */
    public CellWork(List<SuiteCell> cells) {
        Set<String> texts = new HashSet<>();
        for (SuiteCell cell : cells) {
            if (texts.add(cell.stratum() + " " + cell.textId())) {
                firsts.add(cell.id());
            }
        }
        this.total = cells.stream().mapToLong(this::of).sum();
    }

    /** The work of one of them. */
    public long of(SuiteCell cell) {
        return firsts.contains(cell.id()) ? CELL + TEXT + cell.length() : CELL;
    }

    /** The work of all. */
    public long total() {
        return total;
    }
}
