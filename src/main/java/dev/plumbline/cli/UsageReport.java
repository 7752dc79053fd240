package dev.plumbline.cli;

import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Tells what is wrong with the arguments and where the right ones are listed, instead of listing them all. */
final class UsageReport implements IParameterExceptionHandler {
    private static final Pattern TYPES = Pattern.compile("' is not an? (int|long|double)|cannot convert '");

    @Override
    public int handleParseException(ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        command.getErr().println("plumbline: " + message(failure));
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().println("`./" + name + " --help` lists the options.");
        command.getErr().flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** What is no value of its type the parser refuses in words about Java's types; an option's description says what is. */
    private static String message(ParameterException failure) {
        if (!(failure.getArgSpec() instanceof OptionSpec option)
                || !TYPES.matcher(failure.getMessage()).find()) {
            return failure.getMessage();
        }
        String allowed = String.join(" ", option.description()).replace("${DEFAULT-VALUE}", option.defaultValue() + "");
        return option.longestName() + " " + failure.getValue() + ": cannot be read; allowed is " + option.paramLabel()
                + ": " + allowed;
    }
}
