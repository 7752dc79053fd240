package dev.plumbline.runconfig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The run config that a server was started with, by name or from a file.
 *
 * @param source whether an option or a variable named it
 * @param ref which one of the database; null if it is a file's
 * @param file what the file says; null if it is the database's
 * @param fileId what a file's config is called: {@code name@file-1a2b3c4d}, with the first digits of the file's SHA-256
 */
public record PinnedConfig(Source source, RunConfigRef ref, NewRunConfig file, String fileId) {
    private static final int DIGITS = 8;

    /**
     * Reads what a person wrote: the path of a file if it has a slash or ends in .yaml or .yml, a name otherwise.
     *
     * @param field the option or variable, for the refusal
     * @throws RunConfigException if it is neither a name nor a file of a run config
     */
    public static PinnedConfig of(Source source, String field, String text) {
        if (!text.contains("/") && !text.endsWith(".yaml") && !text.endsWith(".yml")) {
            return new PinnedConfig(source, RunConfigRef.parse(field, text), null, null);
        }
        try {
            if (Files.size(Path.of(text)) > RunConfigYaml.LIMIT) {
                throw new RunConfigException(
                        field, field + ": " + text + " is larger than " + RunConfigYaml.LIMIT + " bytes.");
            }
            byte[] bytes = Files.readAllBytes(Path.of(text));
            NewRunConfig file = RunConfigYaml.read(bytes);
            return new PinnedConfig(source, null, file, file.name() + "@file-" + digits(bytes));
        } catch (IOException e) {
            throw new RunConfigException(
                    field,
                    field + ": the file " + text
                            + " cannot be read; allowed: a file of a run config, or a name, which has no slash"
                            + " and does not end in .yaml.");
        } catch (RunConfigException e) {
            throw new RunConfigException(field, field + ": " + text + ": " + e.getMessage());
        }
    }

    private static String digits(byte[] bytes) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))
                    .substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
