package dev.plumbline.conversation;

import java.util.List;

/**
 * A part of a list.
 *
 * @param items its items
 * @param more whether others follow
 */
public record Page<T>(List<T> items, boolean more) {

    /** From a list that was asked for one item more than a page holds. */
    static <T> Page<T> of(List<T> found, int limit) {
        boolean more = found.size() > limit;
        return new Page<>(List.copyOf(more ? found.subList(0, limit) : found), more);
    }
}
