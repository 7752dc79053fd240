package dev.plumbline.document;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;

/**
 * The maps, lists and scalars of one YAML document. Built from the parser's events, so that nothing a document says can
 * make an object, and no alias can make a small text large.
 */
final class YamlTree {
    private static final int DEEPEST = 8;
    private static final Pattern NUMBER =
            Pattern.compile("[-+]?(0|[1-9][0-9]{0,17})(\\.[0-9]{1,17})?([eE][-+]?[0-9]{1,2})?");

    private final Iterator<Event> events;

    YamlTree(Iterator<Event> events) {
        this.events = events;
    }

    /** The only document, which must be a map. */
    Map<?, ?> document() {
        expect(Event.ID.StreamStart);
        Event start = events.next();
        if (!start.is(Event.ID.DocumentStart)) {
            throw refused("it is empty", start);
        }
        Object tree = value(events.next(), 1);
        expect(Event.ID.DocumentEnd);
        Event end = events.next();
        if (!end.is(Event.ID.StreamEnd)) {
            throw refused("more than one document", end);
        }
        if (!(tree instanceof Map<?, ?> map)) {
            throw DocumentException.noYaml("it is no map of fields");
        }
        return map;
    }

    private void expect(Event.ID id) {
        Event event = events.next();
        if (!event.is(id)) {
            throw refused("it cannot be read", event);
        }
    }

    private Object value(Event event, int depth) {
        if (event instanceof AliasEvent || event instanceof NodeEvent node && node.getAnchor() != null) {
            throw refused("it has an anchor or an alias", event);
        }
        if (depth > DEEPEST) {
            throw refused("it is nested deeper than " + DEEPEST, event);
        }
        if (event instanceof ScalarEvent scalar) {
            if (scalar.getTag() != null) {
                throw refused("it has a tag", event);
            }
            return scalar(scalar);
        }
        if (((CollectionStartEvent) event).getTag() != null) {
            throw refused("it has a tag", event);
        }
        return event instanceof MappingStartEvent ? map(depth) : list((SequenceStartEvent) event, depth);
    }

    private Map<String, Object> map(int depth) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (Event event = events.next(); !event.is(Event.ID.MappingEnd); event = events.next()) {
            if (!(value(event, depth + 1) instanceof String key)) {
                throw refused("a key is no plain text", event);
            }
            if (map.containsKey(key)) {
                throw refused("the key '" + Words.shown(key) + "' stands twice", event);
            }
            map.put(key, value(events.next(), depth + 1));
        }
        return map;
    }

    private List<Object> list(SequenceStartEvent start, int depth) {
        List<Object> list = new ArrayList<>();
        for (Event event = events.next(); !event.is(Event.ID.SequenceEnd); event = events.next()) {
            list.add(value(event, depth + 1));
        }
        return list;
    }

    /** YAML 1.1 would take on, off, yes and no for booleans; here only true and false are. */
    private static Object scalar(ScalarEvent scalar) {
        String text = scalar.getValue();
        if (!scalar.isPlain()) {
            return text;
        }
        return switch (text) {
            case "", "~", "null" -> null;
            case "true" -> true;
            case "false" -> false;
            default -> NUMBER.matcher(text).matches() ? number(text) : text;
        };
    }

    private static Number number(String text) {
        BigDecimal number = new BigDecimal(text);
        return text.matches("[-+]?[0-9]+") ? (Number) number.longValueExact() : (Number) number.doubleValue();
    }

    private static DocumentException refused(String reason, Event event) {
        Mark mark = event.getStartMark();
        String where = mark == null ? "" : " at line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1);
        return DocumentException.noYaml(reason + where);
    }
}
