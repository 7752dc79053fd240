package dev.plumbline.recall;

import java.util.ArrayList;
import java.util.List;

/** Right-aligned columns for a terminal. */
public final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();

    /** A table with this header. */
    public TextTable(List<String> header) {
        rows.add(List.copyOf(header));
    }

    /** Adds a row; cells missing at its end stay empty. */
    public void row(List<String> cells) {
        rows.add(List.copyOf(cells));
    }

    /** The table, a line per row. */
    public String render() {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder out = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                line.append("  ")
                        .append(" ".repeat(widths[i] - row.get(i).length()))
                        .append(row.get(i));
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }
}
