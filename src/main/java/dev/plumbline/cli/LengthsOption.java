package dev.plumbline.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks the value of {@code --lengths}. */
final class LengthsOption {
    private LengthsOption() {}

    /**
     * Refuses lengths that no prompt can have.
     *
     * @param room tokens an answer needs beyond the prompt
     */
    static void check(CommandSpec spec, List<Integer> lengths, int maxContext, int room) {
        int most = maxContext - room;
        for (int length : lengths) {
            if (length < 1 || length > most) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--lengths " + length + ": allowed are 1 to " + most + ", the context of " + maxContext
                                + " tokens less " + room + " for the answer");
            }
        }
    }
}
