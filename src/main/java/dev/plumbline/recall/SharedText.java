package dev.plumbline.recall;

import dev.plumbline.recall.suite.SuiteCell;
import java.util.List;

/**
 * A text that several cells ask about.
 *
 * @param cell one of them
 * @param plans a question for each of its needles
 * @param text what their prompts share, needles included; ends with a line break
 * @param lastLine its last line, with which the tokens of what follows are counted
 * @param headTokens tokens of a prompt before that line
 * @param pieces of filler in the text
 */
record SharedText(SuiteCell cell, List<Plan> plans, String text, String lastLine, int headTokens, int pieces) {

    /** Whether another cell asks about this text. */
    boolean belongsTo(SuiteCell other) {
        return cell.textId().equals(other.textId()) && cell.needles().equals(other.needles());
    }
}
