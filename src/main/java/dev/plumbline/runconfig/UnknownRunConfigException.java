package dev.plumbline.runconfig;

import java.util.List;

/** No run config has the name, or the name has no such version. */
public final class UnknownRunConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient RunConfigRef ref;

    UnknownRunConfigException(RunConfigRef ref, List<String> near) {
        super(words(ref, near), null, false, false);
        this.ref = ref;
    }

    /** What was asked for. */
    public RunConfigRef ref() {
        return ref;
    }

    private static String words(RunConfigRef ref, List<String> near) {
        if (near.contains(ref.name())) {
            return "The run config '" + ref.name() + "' has no version " + ref.version() + ".";
        }
        return "No run config '" + ref.name() + "' exists"
                + (near.isEmpty() ? "." : "; near it are: " + String.join(", ", near) + ".");
    }
}
