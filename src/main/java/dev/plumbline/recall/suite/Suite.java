package dev.plumbline.recall.suite;

import dev.plumbline.document.DocumentException;
import dev.plumbline.document.Words;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A named, versioned grid of recall tests.
 *
 * @param name 1 to 63 of a-z, 0-9 and hyphens
 * @param version 1 and more; raised with every change
 * @param description what it is for; may be empty
 * @param strata its parts, with different names
 */
public record Suite(String name, int version, String description, List<SuiteStratum> strata) {
    /** Most cells of one seed. */
    public static final int MOST_CELLS = 100_000;

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    /** Copies the strata and checks the names and the size. */
    public Suite {
        strata = List.copyOf(strata);
        if (!NAME.matcher(name).matches()) {
            throw new DocumentException(
                    "name",
                    "Invalid value for 'name': '" + Words.shown(name)
                            + "'; allowed: 1 to 63 of a-z, 0-9 and hyphens, not at an end.");
        }
        if (version < 1) {
            throw new DocumentException("version", "'version' is " + version + "; allowed: 1 and more.");
        }
        if (strata.stream().noneMatch(SuiteStratum::required)) {
            throw new DocumentException("strata", "'strata' has no required stratum; a verdict needs at least one.");
        }
        Set<String> names = new HashSet<>();
        for (SuiteStratum stratum : strata) {
            if (!names.add(stratum.name())) {
                throw new DocumentException(
                        "strata",
                        "'strata' has the name '" + Words.shown(stratum.name()) + "' twice; allowed: different names.");
            }
        }
        long cells = strata.stream().mapToLong(SuiteStratum::cells).sum();
        if (cells > MOST_CELLS) {
            throw new DocumentException(
                    "strata", "'strata' has " + cells + " cells; allowed: at most " + MOST_CELLS + ".");
        }
    }

    /** Name and version, such as {@code smoke/1}. */
    public String label() {
        return name + "/" + version;
    }

    /** SHA-256 of what is asked, whatever the name: equal for suites with equal strata. */
    public String hash() {
        try {
            byte[] grid = SuiteYaml.write(new Suite("hash", 1, "", strata)).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(grid));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Names of the strata that a verdict depends on. */
    public Set<String> requiredStrata() {
        return strata.stream()
                .filter(SuiteStratum::required)
                .map(SuiteStratum::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Every cell, stratum by stratum, cells of one text in a row.
     *
     * @param edges of the model
     * @param seeds different ones; each gives as many cells
     * @throws DocumentException if a length is impossible for the model, or two strata ask the same
     */
    public List<SuiteCell> cells(Edges edges, List<Long> seeds) {
        return GridExpansion.of(this, edges, seeds);
    }

    /**
     * The same suite with some of its strata, to ask them afresh.
     *
     * @throws IllegalArgumentException if it lacks one
     */
    public Suite only(Set<String> names) {
        List<SuiteStratum> some = strata.stream()
                .filter(stratum -> names.contains(stratum.name()))
                .toList();
        if (some.size() < names.size()) {
            throw new IllegalArgumentException(label() + " has no strata " + names);
        }
        return new Suite(name, version, description, some);
    }
}
