package dev.plumbline.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** A prompt as token ids, on the command line or in a file. */
final class TokenIds {
    @Option(names = "--ids", paramLabel = "5,17,…", description = "token ids, separated by commas or blanks")
    private String inline;

    @Option(
            names = "--ids-file",
            paramLabel = "F",
            description = "file of token ids, separated by commas or white space")
    private Path file;

    int[] read(CommandLine command) {
        String option = inline != null ? "--ids" : "--ids-file";
        String text = inline != null ? inline : content(command);
        String[] words = text.strip().split("[\\s,]+");
        if (text.isBlank()) {
            throw new ParameterException(command, option + " is empty; allowed: at least one token id");
        }
        int[] ids = new int[words.length];
        for (int i = 0; i < words.length; i++) {
            try {
                ids[i] = Integer.parseInt(words[i]);
            } catch (NumberFormatException e) {
                throw new ParameterException(
                        command, option + ": item " + i + " is '" + words[i] + "'; allowed: token ids");
            }
        }
        return ids;
    }

    private String content(CommandLine command) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new ParameterException(command, "--ids-file " + file + " cannot be read: " + e);
        }
    }
}
