package dev.plumbline.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code --out} of the commands that print what they measured as a table and may write all of it as JSON. */
final class ReportOut {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--out", paramLabel = "FILE", description = "Write everything as JSON.")
    private Path file;

    /** Refuses a file that cannot be written, before time is spent. */
    void check() {
        String refusal = file == null ? null : OutputFile.refusal(file);
        if (refusal != null) {
            throw new ParameterException(spec.commandLine(), "--out " + file + ": " + refusal);
        }
    }

    /** Prints the table, and writes the report if a file was given. */
    void print(String table, Object report) {
        PrintWriter terminal = spec.commandLine().getOut();
        terminal.print(table);
        if (file != null) {
            OutputFile.write(file, ReportJson.of(report));
            terminal.println("\nWritten to " + file);
        }
        terminal.flush();
    }
}
