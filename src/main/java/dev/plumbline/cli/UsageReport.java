package dev.plumbline.cli;

import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;

/** Tells what is wrong with the arguments and where the right ones are listed, instead of listing them all. */
final class UsageReport implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        command.getErr().println("plumbline: " + failure.getMessage());
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().println("`./" + name + " --help` lists the options.");
        command.getErr().flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }
}
