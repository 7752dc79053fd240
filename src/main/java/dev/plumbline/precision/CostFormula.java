package dev.plumbline.precision;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The arithmetic of a cost as lines that a person can follow with a pocket calculator. */
public final class CostFormula {
    private CostFormula() {}

    /** One line for what is summed, one a pool, and the sum. */
    public static List<String> lines(TokenCost cost) {
        Architecture a = cost.layout().architecture();
        int row = cost.layout().keyValues().bytes();
        int key = cost.layout().indexKeys().bytes();
        String share = number(cost.windowShare());
        List<String> lines = new ArrayList<>();
        lines.add(
                "bytes per token = window + CSA entries + HCA entries + index keys + CSA state; window and state count"
                        + " for the window share r = " + share + " of the tokens");
        lines.add("window: r x " + a.layers() + " layers x " + row + " B = " + pool(cost, Pool.WINDOW));
        if (a.csaLayers() > 0) {
            lines.add("CSA entries: " + a.csaLayers() + " layers x " + row + " B / " + a.csaRatio() + " tokens = "
                    + pool(cost, Pool.CSA_ENTRIES));
        }
        if (a.hcaLayers() > 0) {
            lines.add("HCA entries: " + a.hcaLayers() + " layers x " + row + " B / " + a.hcaRatio() + " tokens = "
                    + pool(cost, Pool.HCA_ENTRIES));
        }
        if (a.csaLayers() > 0) {
            lines.add("index keys: " + a.csaLayers() + " layers x " + key + " B / " + a.csaRatio() + " tokens = "
                    + pool(cost, Pool.INDEX_KEYS));
            lines.add("CSA state: r x " + a.csaLayers() + " layers x " + 2 * a.csaRatio() + " tokens x 4 x ("
                    + a.headDim() + " + " + a.indexHeadDim() + ") x 4 B / " + a.slidingWindow()
                    + " tokens of a window = " + pool(cost, Pool.CSA_STATE));
        }
        lines.add("sum = " + number(cost.bytes()) + " B per token");
        if (a.hcaLayers() > 0) {
            lines.add("besides, once a request: HCA state: " + a.hcaLayers() + " layers x " + a.hcaRatio()
                    + " tokens x 2 x " + a.headDim() + " x 4 B = "
                    + cost.layout().sequenceBytes().get(Pool.HCA_STATE) + " B");
        }
        return List.copyOf(lines);
    }

    private static String pool(TokenCost cost, Pool pool) {
        return number(cost.bytesByPool().get(pool)) + " B";
    }

    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%.4f", value);
        return text.replaceAll("\\.?0+$", "");
    }
}
