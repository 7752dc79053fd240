package dev.plumbline.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders with all that is in them. */
final class Trees {
    private static final String OWNER = "unix:uid";

    private Trees() {}

    static void delete(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            for (Path path : contents(folder)) {
                Files.delete(path);
            }
        }
    }

    /** Gives a folder to a user; only root can. Nothing to do if that user has the folder itself. */
    static void own(Path folder, int user) throws IOException {
        if (!Integer.valueOf(user).equals(Files.getAttribute(folder, OWNER))) {
            // The folder itself comes last: what was cut is done again.
            for (Path path : contents(folder)) {
                Files.setAttribute(path, OWNER, user, LinkOption.NOFOLLOW_LINKS);
            }
        }
    }

    /** Lets everybody look into a folder and those in it. */
    static void open(Path folder) throws IOException {
        for (Path path : contents(folder)) {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }

    /** The folder after all that is in it. */
    private static List<Path> contents(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.sorted(Comparator.reverseOrder()).toList();
        }
    }
}
