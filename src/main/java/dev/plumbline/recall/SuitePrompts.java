package dev.plumbline.recall;

import dev.plumbline.recall.suite.SuiteCell;

/** Where the prompts of cells come from. Equal cells get equal prompts. */
public interface SuitePrompts {

    /**
     * The prompt of a cell.
     *
     * @throws PromptLengthException if there is none of the cell's length
     */
    SuitePrompt build(SuiteCell cell);
}
