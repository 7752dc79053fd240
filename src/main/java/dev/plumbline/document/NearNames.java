package dev.plumbline.document;

import java.util.Comparator;
import java.util.List;

/** Finds what somebody may have meant by a name that does not exist. */
public final class NearNames {
    private static final int SUGGESTIONS = 3;

    private NearNames() {}

    /** The names that are spelled nearly the same, the nearest first. */
    public static List<String> of(String name, List<String> names) {
        int far = Math.max(2, name.length() / 2);
        return names.stream()
                .filter(other -> distance(name, other) <= far || other.contains(name) || name.contains(other))
                .sorted(Comparator.<String>comparingInt(other -> distance(name, other))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(SUGGESTIONS)
                .toList();
    }

    /** Characters to insert, delete or replace to make one of the other (Levenshtein). */
    static int distance(String one, String other) {
        int[] above = new int[other.length() + 1];
        for (int column = 0; column < above.length; column++) {
            above[column] = column;
        }
        for (int row = 1; row <= one.length(); row++) {
            int[] here = new int[above.length];
            here[0] = row;
            for (int column = 1; column < here.length; column++) {
                int replaced = above[column - 1] + (one.charAt(row - 1) == other.charAt(column - 1) ? 0 : 1);
                here[column] = Math.min(replaced, Math.min(above[column], here[column - 1]) + 1);
            }
            above = here;
        }
        return above[other.length()];
    }
}
