package dev.plumbline.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Cuts a prompt into steps. */
final class Chunks {
    private Chunks() {}

    /** The given sizes in order, the last one repeating until {@code tokens} are covered; the last step may be short. */
    static List<Integer> of(int[] sizes, int tokens, CommandLine command) {
        List<Integer> chunks = new ArrayList<>();
        int left = tokens;
        for (int i = 0; left > 0; i++) {
            int size = sizes[Math.min(i, sizes.length - 1)];
            if (size < 1) {
                throw new ParameterException(command, "--chunk is " + size + "; allowed: at least 1");
            }
            chunks.add(Math.min(size, left));
            left -= Math.min(size, left);
        }
        return chunks;
    }
}
