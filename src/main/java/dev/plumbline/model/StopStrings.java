package dev.plumbline.model;

import java.util.List;

/** Holds text back while it could still become a stop string. Not thread-safe. */
final class StopStrings {
    private final List<String> stops;
    private final StringBuilder held = new StringBuilder();
    private boolean stopped;

    StopStrings(List<String> stops) {
        this.stops = List.copyOf(stops);
        for (String stop : this.stops) {
            boolean loneSurrogate = stop.codePoints().anyMatch(c -> c >= 0xD800 && c <= 0xDFFF);
            if (stop.isEmpty() || loneSurrogate) {
                throw new IllegalArgumentException("a stop string is empty or not well-formed");
            }
        }
    }

    boolean stopped() {
        return stopped;
    }

    /** Adds text; returns what is safe to emit. The stop string that is complete first wins. */
    String add(String text) {
        if (stopped) {
            return "";
        }
        int seen = held.length();
        held.append(text);
        int start = firstStop(seen);
        if (start >= 0) {
            stopped = true;
            String safe = held.substring(0, start);
            held.setLength(0);
            return safe;
        }
        return take(held.length() - longestPrefix());
    }

    /** What was held back and is no stop string after all. */
    String finish() {
        return take(held.length());
    }

    private String take(int length) {
        String taken = held.substring(0, length);
        held.delete(0, length);
        return taken;
    }

    /**
     * Where the text before the stop ends, or -1. The winner is the stop string whose last character comes first; if
     * several end there, the one that began first. So the result does not depend on how the text was cut into pieces.
     */
    private int firstStop(int seen) {
        int bestEnd = Integer.MAX_VALUE;
        int bestStart = -1;
        for (String stop : stops) {
            int start = held.indexOf(stop, Math.max(0, seen - stop.length() + 1));
            int end = start + stop.length();
            if (start >= 0 && (end < bestEnd || end == bestEnd && start < bestStart)) {
                bestEnd = end;
                bestStart = start;
            }
        }
        return bestStart;
    }

    /** Length of the longest end of the held text that begins a stop string. */
    private int longestPrefix() {
        int longest = 0;
        for (String stop : stops) {
            for (int n = Math.min(stop.length() - 1, held.length()); n > longest; n--) {
                if (endsWith(stop, n)) {
                    longest = n;
                }
            }
        }
        return longest;
    }

    private boolean endsWith(String stop, int n) {
        int from = held.length() - n;
        for (int i = 0; i < n; i++) {
            if (held.charAt(from + i) != stop.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
