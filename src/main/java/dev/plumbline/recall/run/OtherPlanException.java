package dev.plumbline.recall.run;

/** The cells of a run are not those that its suite lists here: another version of this program made the run. */
final class OtherPlanException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    OtherPlanException(int ordinal, String id) {
        super("the run was planned by another version of this program: cell " + ordinal + " is " + id);
    }
}
