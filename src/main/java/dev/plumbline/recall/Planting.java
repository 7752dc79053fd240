package dev.plumbline.recall;

import dev.plumbline.recall.FillerStream.Piece;
import dev.plumbline.recall.Plan.PlantedNeedle;
import java.util.ArrayList;
import java.util.List;

/** Puts needles between pieces of filler, each as a line of its own. */
final class Planting {
    private Planting() {}

    /** The text, without its last line break. Needles that fall on one place keep their order. */
    static String plant(List<Piece> pieces, List<PlantedNeedle> needles) {
        List<List<String>> borders = new ArrayList<>();
        for (int border = 0; border <= pieces.size(); border++) {
            borders.add(new ArrayList<>());
        }
        for (PlantedNeedle needle : needles) {
            borders.get(border(pieces, needle.depth())).add(needle.line());
        }
        StringBuilder text = new StringBuilder();
        for (int border = 0; border <= pieces.size(); border++) {
            for (String line : borders.get(border)) {
                beginLine(text);
                text.append(line).append('\n');
            }
            if (border < pieces.size()) {
                text.append(pieces.get(border).text());
            }
        }
        int end = text.length() - 1;
        return end >= 0 && text.charAt(end) == '\n' ? text.substring(0, end) : text.toString();
    }

    /** The border nearest to {@code depth} of the tokens; of two, the earlier. */
    private static int border(List<Piece> pieces, double depth) {
        double wanted = depth * pieces.stream().mapToLong(Piece::tokens).sum();
        long before = 0;
        for (int border = 0; border < pieces.size(); border++) {
            int tokens = pieces.get(border).tokens();
            if (wanted <= before + tokens / 2.0) {
                return border;
            }
            before += tokens;
        }
        return pieces.size();
    }

    private static void beginLine(StringBuilder text) {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
            text.append('\n');
        }
    }
}
