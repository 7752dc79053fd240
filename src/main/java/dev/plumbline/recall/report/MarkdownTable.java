package dev.plumbline.recall.report;

import java.util.List;

/** Rows of a Markdown table; what is put in must be escaped already. */
final class MarkdownTable {
    private final StringBuilder out = new StringBuilder();

    MarkdownTable(List<String> header) {
        row(header);
        out.append('|').append("---|".repeat(header.size())).append('\n');
    }

    MarkdownTable(String... header) {
        this(List.of(header));
    }

    MarkdownTable row(String... cells) {
        return row(List.of(cells));
    }

    MarkdownTable row(List<String> cells) {
        out.append("| ").append(String.join(" | ", cells)).append(" |\n");
        return this;
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
