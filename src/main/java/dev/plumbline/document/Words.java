package dev.plumbline.document;

/** User text in messages. */
public final class Words {
    private static final int SHOWN = 60;

    private Words() {}

    /** A text short enough to be repeated to whoever sent it, control characters replaced. */
    public static String shown(String text) {
        int end = Math.min(text.length(), SHOWN);
        if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        String kept = text.substring(0, end).replaceAll("[\\p{Cc}\\p{Cs}]", "\uFFFD");
        return end < text.length() ? kept + "…" : kept;
    }
}
