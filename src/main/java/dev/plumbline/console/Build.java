package dev.plumbline.console;

/**
 * Which program runs.
 *
 * @param release version of the jar, or {@code dev} outside one
 * @param commit commit of the files it was built from, or {@code unknown}
 */
record Build(String release, String commit) {

    /** This one: a jar knows its release, the launcher says the commit. */
    static Build current() {
        String release = Build.class.getPackage().getImplementationVersion();
        return new Build(release == null ? "dev" : release, System.getProperty("plumbline.commit", "unknown"));
    }
}
