package dev.plumbline.recall.report;

import java.util.Arrays;
import java.util.stream.Collectors;

/** One command for a POSIX shell. */
public final class ShellCommand {
    private ShellCommand() {}

    /** Words with quotes where a shell would not take them as they are. */
    public static String of(String... words) {
        return Arrays.stream(words).map(ShellCommand::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        // A line break within quotes would be taken as it is, but hides the rest of the command.
        String line = word.replaceAll("\\p{Cc}", "\uFFFD");
        return line.matches("[A-Za-z0-9_./:@=,+-]+") ? line : "'" + line.replace("'", "'\\''") + "'";
    }
}
