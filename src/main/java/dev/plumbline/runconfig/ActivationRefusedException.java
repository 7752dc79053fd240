package dev.plumbline.runconfig;

/** There is nothing to activate here; the message says why. */
public final class ActivationRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;

    ActivationRefusedException(String code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    /** What kind of refusal it is, in the API's words. */
    public String code() {
        return code;
    }
}
