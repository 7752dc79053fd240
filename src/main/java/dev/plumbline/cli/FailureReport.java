package dev.plumbline.cli;

import dev.plumbline.document.DocumentException;
import dev.plumbline.engine.LaneException;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.model.InvalidModelException;
import dev.plumbline.precision.ProfileException;
import dev.plumbline.recall.PromptLengthException;
import dev.plumbline.target.TargetException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Tells a failure in one sentence where one is enough, with its stack where it is a fault of the program. */
final class FailureReport implements IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        boolean explained = failure instanceof CliException
                || failure instanceof TargetException
                || failure instanceof ProfileException
                || failure instanceof DocumentException
                || failure instanceof KernelException
                || failure instanceof LaneException
                || failure instanceof InvalidModelException
                || failure instanceof PromptLengthException;
        if (explained) {
            command.getErr().println("plumbline: " + failure.getMessage());
        } else {
            failure.printStackTrace(command.getErr());
        }
        command.getErr().flush();
        return command.getCommandSpec().exitCodeOnExecutionException();
    }
}
