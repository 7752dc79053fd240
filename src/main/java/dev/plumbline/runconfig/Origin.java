package dev.plumbline.runconfig;

/** Where the value of a flag comes from; the first that says something decides. */
public enum Origin {
    /** The run config that a request names. */
    REQUEST("request"),
    /** An option of {@code serve}. */
    COMMAND_LINE("command line"),
    /** A variable of the environment of {@code serve}. */
    ENVIRONMENT("environment"),
    /** The run config that is served. */
    RUN_CONFIG("run config"),
    /** The model's files. */
    CHECKPOINT("checkpoint"),
    /** The default of the flag table. */
    DEFAULT("default");

    private final String text;

    Origin(String text) {
        this.text = text;
    }

    /** Its name in the API. */
    public String text() {
        return text;
    }
}
