package dev.plumbline.target;

/** Other requests' traces take the room; try again later. */
public final class TracesFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TracesFullException(long bytes, long limit) {
        super("the traces in work may come to " + limit + " bytes together, and this one may need " + bytes);
    }
}
