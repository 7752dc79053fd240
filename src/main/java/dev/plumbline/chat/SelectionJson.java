package dev.plumbline.chat;

import dev.plumbline.target.ChatEvent;
import dev.plumbline.target.TracedPrompt;
import dev.plumbline.target.WatchedText;
import dev.plumbline.trace.EntryTrace;
import dev.plumbline.trace.QueryTrace;
import dev.plumbline.trace.TokenSpan;
import dev.plumbline.trace.WatchTrace;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/** Collects the selections of an answer's choices and writes them, without a tree: they may take megabytes. */
final class SelectionJson {
    private final List<ChatEvent.Selected> choices = new ArrayList<>();

    void add(ChatEvent.Selected selected) {
        choices.add(selected);
    }

    /** Adds {@code plumbline.selection} to an object if selections were asked for. */
    void addTo(ObjectNode root) {
        if (!choices.isEmpty()) {
            root.withObjectProperty("plumbline")
                    .set("selection", JsonNodeFactory.instance.rawValueNode(new RawValue(write())));
        }
    }

    boolean isEmpty() {
        return choices.isEmpty();
    }

    private String write() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JsonMapper.shared().createGenerator(text)) {
            json.writeStartObject();
            prompt(json, choices.get(0).prompt());
            json.writeArrayPropertyStart("choices");
            choices.sort(Comparator.comparingInt(ChatEvent.Selected::choice));
            for (ChatEvent.Selected choice : choices) {
                json.writeStartObject();
                json.writeNumberProperty("index", choice.choice());
                json.writeArrayPropertyStart("queries");
                choice.queries().forEach(query -> query(json, query));
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return text.toString();
    }

    private static void prompt(JsonGenerator json, TracedPrompt prompt) {
        json.writeNumberProperty("prompt_tokens", prompt.tokens());
        json.writeNumberProperty("tokens_per_entry", prompt.tokensPerEntry());
        json.writeArrayPropertyStart("watch");
        for (WatchedText text : prompt.watched()) {
            json.writeStartObject();
            json.writeStringProperty("text", text.text());
            json.writeBooleanProperty("found", !text.spans().isEmpty());
            json.writeArrayPropertyStart("spans");
            for (TokenSpan span : text.spans()) {
                json.writeStartObject();
                json.writeNumberProperty("from", span.from());
                json.writeNumberProperty("to", span.to());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayPropertyStart("entries");
            text.entries().forEach(json::writeNumber);
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void query(JsonGenerator json, QueryTrace query) {
        json.writeStartObject();
        json.writeNumberProperty("layer", query.layer());
        json.writeNumberProperty("position", query.position());
        json.writeStringProperty("stage", query.stage().name().toLowerCase(Locale.ROOT));
        json.writeNumberProperty("budget", query.budget());
        json.writeNumberProperty("candidates", query.candidates());
        json.writeNumberProperty("selected", query.selected());
        json.writeBooleanProperty("all_selected", query.allSelected());
        number(json, "lowest_selected", query.selected() > 0, query.lowestSelected());
        json.writeNumberProperty("zero", query.counts().zero());
        json.writeNumberProperty("nan", query.counts().nan());
        json.writeNumberProperty("negative_infinity", query.counts().negativeInfinity());
        json.writeNumberProperty("tied_at_cut", query.counts().tiedAtCut());
        json.writeArrayPropertyStart("watch");
        query.watches().forEach(watch -> watch(json, watch));
        json.writeEndArray();
        if (query.entries() != null) {
            json.writeName("entries");
            json.writeArray(query.entries(), 0, query.entries().length);
        }
        json.writeEndObject();
    }

    private static void watch(JsonGenerator json, WatchTrace watch) {
        Optional<EntryTrace> best = watch.best();
        json.writeStartObject();
        json.writeNumberProperty("selected", watch.selected());
        if (best.isPresent()) {
            json.writeNumberProperty("rank", best.get().rank());
        } else {
            json.writeNullProperty("rank");
        }
        margin(json, best.map(EntryTrace::margin).orElse(Double.NaN));
        json.writeNumberProperty("mass", (float) watch.mass());
        json.writeArrayPropertyStart("entries");
        watch.entries().forEach(entry -> entry(json, entry));
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void entry(JsonGenerator json, EntryTrace entry) {
        json.writeStartObject();
        json.writeNumberProperty("entry", entry.entry());
        json.writeBooleanProperty("own", entry.own());
        json.writeBooleanProperty("visible", entry.visible());
        json.writeBooleanProperty("selected", entry.selected());
        if (entry.visible()) {
            json.writeNumberProperty("rank", entry.rank());
            json.writeNumberProperty("tied", entry.tied());
        } else {
            json.writeNullProperty("rank");
            json.writeNullProperty("tied");
        }
        number(json, "score", entry.visible(), entry.score());
        margin(json, entry.margin());
        json.writeNumberProperty("mass", (float) entry.mass());
        json.writeNumberProperty("head_mass", (float) entry.headMass());
        json.writeEndObject();
    }

    private static void margin(JsonGenerator json, double margin) {
        number(json, "margin", !Double.isNaN(margin), (float) margin);
    }

    /** JSON has no word for what is not finite: it comes as a string. */
    private static void number(JsonGenerator json, String name, boolean present, float value) {
        if (!present) {
            json.writeNullProperty(name);
        } else if (Float.isFinite(value)) {
            json.writeNumberProperty(name, value);
        } else {
            json.writeStringProperty(name, String.valueOf(value));
        }
    }
}
