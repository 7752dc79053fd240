package dev.plumbline.recall.verdict;

import java.util.List;

/**
 * Pairs that do not count because a side has no complete answer.
 *
 * @param pairs how many
 * @param mayBeLost those of them whose truth may be a loss: the baseline may have passed, the candidate may have failed
 * @param truncated answers among them that hit their token limit, on either side
 * @param errors cells among them that failed for another reason than their answer, on either side
 * @param missing cells among them without a result, on either side
 */
public record LeftOut(int pairs, int mayBeLost, int truncated, int errors, int missing) {

    static LeftOut of(List<CellPair> pairs) {
        List<CellPair> out = pairs.stream().filter(pair -> !pair.scored()).toList();
        return new LeftOut(
                out.size(),
                (int) out.stream().filter(CellPair::mayBeLost).count(),
                count(out, CellState.TRUNCATED),
                count(out, CellState.ERROR),
                count(out, CellState.MISSING));
    }

    private static int count(List<CellPair> pairs, CellState state) {
        int count = 0;
        for (CellPair pair : pairs) {
            count += pair.baseline().state() == state ? 1 : 0;
            count += pair.candidate().state() == state ? 1 : 0;
        }
        return count;
    }
}
