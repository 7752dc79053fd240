package dev.plumbline.chat;

import java.util.Map;
import java.util.UUID;

/**
 * What a request wants of the history.
 *
 * @param store whether its answer is to be a stored completion
 * @param metadata the client's own pairs
 * @param conversation the conversation it continues, or null
 */
record HistoryOptions(boolean store, Map<String, String> metadata, UUID conversation) {

    /** Whether anything is to be stored. */
    boolean records() {
        return store || conversation != null;
    }
}
