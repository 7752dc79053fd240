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
        Path partial = partial(file);
        try {
            // Rights alone do not tell: a file system may be full, or take no files at all.
            Files.createFile(partial);
            Files.delete(partial);
            return null;
        } catch (IOException e) {
            return "no file can be made in folder " + folder + " ("
                    + e.getClass().getSimpleName() + ")";
        }
    }

    /** Writes the file, replacing what was there. */
    static void write(Path file, String content) {
        try {
            // Not a temporary file of the JDK's: those are readable by their owner alone.
            Path partial = partial(file);
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

    private static Path partial(Path file) {
        return folder(file)
                .resolve(
                        "." + file.getFileName() + "." + ProcessHandle.current().pid());
    }

    private static Path folder(Path file) {
        return file.toAbsolutePath().getParent();
    }
}
