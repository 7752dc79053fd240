package dev.plumbline.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** One run of the program, in this process. */
record Invocation(int status, String out, String err) {

    /** A command that loads a model onto the backend that runs everywhere. */
    static Invocation onReference(String command, Path model, String... arguments) {
        List<String> all = new ArrayList<>(List.of(command, "--model", model.toString(), "--backend", "reference"));
        all.addAll(List.of(arguments));
        return of(all.toArray(String[]::new));
    }

    static Invocation of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command =
                Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int status = command.execute(arguments);
        return new Invocation(status, out.toString(), err.toString());
    }
}
