package dev.plumbline.http;

import dev.plumbline.conversation.Page;
import java.util.function.Function;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Lists in OpenAI's shape, and what is said of an item that has left one. */
public final class ListJson {
    private ListJson() {}

    /** OpenAI's list: the items, the first and the last {@code id} or null, and whether there are more. */
    public static <T> ObjectNode of(Page<T> page, Function<T, ObjectNode> item) {
        ObjectNode root = JsonNodeFactory.instance.objectNode().put("object", "list");
        ArrayNode data = root.putArray("data");
        page.items().forEach(one -> data.add(item.apply(one)));
        root.put("first_id", data.isEmpty() ? null : data.get(0).path("id").asString());
        root.put(
                "last_id",
                data.isEmpty() ? null : data.get(data.size() - 1).path("id").asString());
        return root.put("has_more", page.more());
    }

    /** Says that something is gone; {@code kind} is its {@code object}. */
    public static ObjectNode deleted(String id, String kind) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", id)
                .put("object", kind)
                .put("deleted", true);
    }
}
