package dev.plumbline.runconfig;

/** Who decided which run config a server serves. */
public enum Source {
    /** An option of {@code serve}. */
    COMMAND_LINE("command line"),
    /** A variable of the environment of {@code serve}. */
    ENVIRONMENT("environment"),
    /** It is the active one. */
    DATABASE("database");

    private final String text;

    Source(String text) {
        this.text = text;
    }

    /** Its name in the API. */
    public String text() {
        return text;
    }
}
