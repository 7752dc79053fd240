package dev.plumbline.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file that appears whole or not at all. */
final class OutputFile {
    private OutputFile() {}

    /** Why a file could not be written there, asked before the work is done; null if it probably can. */
    static String refusal(Path file) {
        Path folder = folder(file);
        if (!Files.isDirectory(folder)) {
            return "folder " + folder + " does not exist";
        }
        if (Files.isDirectory(file)) {
            return "it is a folder";
        }
        return Files.isWritable(folder) ? null : "folder " + folder + " is not writable";
    }

    /** Writes the file, replacing what was there. */
    static void write(Path file, String content) {
        try {
            // Not a temporary file of the JDK's: those are readable by their owner alone.
            Path partial = folder(file)
                    .resolve("." + file.getFileName() + "."
                            + ProcessHandle.current().pid());
            try {
                Files.writeString(partial, content);
                Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(partial);
            }
        } catch (IOException e) {
            throw new CliException("cannot write " + file + ": " + e);
        }
    }

    private static Path folder(Path file) {
        return file.toAbsolutePath().getParent();
    }
}
