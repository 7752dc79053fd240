package dev.plumbline.runconfig;

import dev.plumbline.document.NearNames;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/** No run config has the name, or the name has no such version. */
public final class UnknownRunConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int MOST_SHOWN = 20;

    private final transient RunConfigRef ref;

    private UnknownRunConfigException(RunConfigRef ref, String message) {
        super(message, null, false, false);
        this.ref = ref;
    }

    /** What was asked for. */
    public RunConfigRef ref() {
        return ref;
    }

    /** Says what there is instead: the versions of the name, or names. */
    static UnknownRunConfigException of(JdbcClient client, RunConfigRef ref) {
        Optional<RunConfig> latest = RunConfigTable.one(client, new RunConfigRef(ref.name(), null));
        return new UnknownRunConfigException(
                ref,
                latest.isPresent()
                        ? "The run config '" + ref.name() + "' has no version " + ref.version() + "; allowed: "
                                + versions(latest.get().version()) + "."
                        : missing(ref.name(), RunConfigTable.names(client)));
    }

    private static String versions(int latest) {
        return latest == 1 ? "1" : "1 to " + latest;
    }

    private static String missing(String name, List<String> names) {
        List<String> near = NearNames.of(name, names);
        return "No run config '" + name + "' exists; "
                + (near.isEmpty() ? "there are: " + shown(names) : "near it are: " + String.join(", ", near)) + ".";
    }

    private static String shown(List<String> names) {
        String first = names.stream().sorted().limit(MOST_SHOWN).collect(Collectors.joining(", "));
        return names.size() > MOST_SHOWN ? first + " and " + (names.size() - MOST_SHOWN) + " more" : first;
    }
}
