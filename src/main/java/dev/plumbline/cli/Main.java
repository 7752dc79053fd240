package dev.plumbline.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of every subcommand. */
@Command(
        name = "plumbline",
        mixinStandardHelpOptions = true,
        version = "plumbline 0.1.0",
        description = "The inference server that proves its recall.",
        subcommands = {
            ServeCommand.class,
            ChatCommand.class,
            RecallCommand.class,
            GateCommand.class,
            SweepCommand.class,
            BenchCommand.class,
            BenchTraceCommand.class,
            VerifyCommand.class,
            LogitsCommand.class,
            CostCommand.class,
            ResetAdminCommand.class,
        })
public final class Main {
    private Main() {}

    /** Runs the subcommand named by {@code args} and exits with its status. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setExecutionExceptionHandler(new FailureReport())
                .setParameterExceptionHandler(new UsageReport());
    }
}
