package dev.plumbline.recall.verdict;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pairs of one stratum.
 *
 * @param name the stratum
 * @param pairs every planned cell of it
 */
public record StratumPairs(String name, List<CellPair> pairs) {

    /** Copies the pairs. */
    public StratumPairs {
        pairs = List.copyOf(pairs);
    }

    /** The pairs that count. */
    public PairedCounts counts() {
        int both = 0;
        int lost = 0;
        int gained = 0;
        int neither = 0;
        for (CellPair pair : pairs) {
            if (!pair.scored()) {
                continue;
            }
            if (pair.lost()) {
                lost++;
            } else if (pair.gained()) {
                gained++;
            } else if (pair.baseline().state() == CellState.PASSED) {
                both++;
            } else {
                neither++;
            }
        }
        return new PairedCounts(both, lost, gained, neither);
    }

    /** The pairs that do not. */
    public LeftOut leftOut() {
        return LeftOut.of(pairs);
    }

    /** Lost minus gained pairs of each haystack. */
    int[] netLossByHaystack() {
        Map<String, Integer> net = new LinkedHashMap<>();
        for (CellPair pair : pairs) {
            net.merge(pair.baseline().haystack(), (pair.lost() ? 1 : 0) - (pair.gained() ? 1 : 0), Integer::sum);
        }
        return net.values().stream().mapToInt(Integer::intValue).toArray();
    }
}
