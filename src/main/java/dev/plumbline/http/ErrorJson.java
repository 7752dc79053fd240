package dev.plumbline.http;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** OpenAI's error object: all four keys, null where empty. */
public final class ErrorJson {
    private ErrorJson() {}

    /** The object's text. */
    public static String of(ApiException error) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.putObject("error")
                .put("message", error.getMessage())
                .put("type", error.type())
                .put("param", error.param())
                .put("code", error.code());
        return root.toString();
    }
}
