package dev.plumbline.database;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Says what is wrong with a file; the exceptions of Java often say its name only. */
final class FileTrouble {
    private FileTrouble() {}

    static String words(IOException failure) {
        if (failure instanceof AccessDeniedException denied) {
            return "no permission for " + denied.getFile();
        }
        if (failure instanceof FileAlreadyExistsException file) {
            return file.getFile() + " is no folder";
        }
        if (failure instanceof NotDirectoryException file) {
            return file.getFile() + " is no folder";
        }
        if (failure instanceof NoSuchFileException file) {
            return file.getFile() + " does not exist";
        }
        return failure.getMessage();
    }
}
