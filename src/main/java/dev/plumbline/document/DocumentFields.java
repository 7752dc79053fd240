package dev.plumbline.document;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the fields of one object, whether it was written as JSON or as YAML. A null counts as absent; a wrong value is
 * refused with field, value and what is allowed.
 */
public final class DocumentFields {
    private final Map<?, ?> object;
    private final String prefix;
    private final Set<String> read = new HashSet<>();

    /**
     * Fields of an object.
     *
     * @param path names of the objects around it, joined by dots; empty for none
     */
    public DocumentFields(Map<?, ?> object, String path) {
        this.object = object;
        this.prefix = path.isEmpty() ? "" : path + ".";
    }

    private Object value(String field) {
        read.add(field);
        return object.get(field);
    }

    /** A text without control characters but line breaks and tabs, or null. */
    public String text(String field, int longest) {
        Object value = value(field);
        if (value == null) {
            return null;
        }
        return checked(prefix + field, value, longest);
    }

    /** The same of a value that lies at {@code path}. */
    public static String checked(String path, Object value, int longest) {
        if (!(value instanceof String text)) {
            throw wrong(path, value, "a string");
        }
        if (text.codePointCount(0, text.length()) > longest) {
            throw wrong(path, value, "at most " + longest + " characters");
        }
        boolean odd = text.codePoints()
                .anyMatch(c -> Character.isISOControl(c) && c != '\n' && c != '\t'
                        || Character.getType(c) == Character.SURROGATE
                        || c == 0xFFFE
                        || c == 0xFFFF);
        if (odd) {
            throw wrong(path, value, "text without control characters");
        }
        return text;
    }

    /** A number of a range, or null. */
    public Double number(String field, double least, double most) {
        Object value = value(field);
        if (value == null) {
            return null;
        }
        String allowed = "a number from " + plain(least) + " to " + plain(most);
        if (!(value instanceof Number number) || !(number.doubleValue() >= least && number.doubleValue() <= most)) {
            throw wrong(prefix + field, value, allowed);
        }
        return number.doubleValue();
    }

    /** An integer of at least {@code least}, or null. */
    public Integer integer(String field, int least) {
        return integer(field, least, Integer.MAX_VALUE);
    }

    /** An integer of a range, or null. */
    public Integer integer(String field, int least, int most) {
        Object value = value(field);
        if (value == null) {
            return null;
        }
        if (!(value instanceof Number number)
                || number.doubleValue() != Math.rint(number.doubleValue())
                || !(number.doubleValue() >= least && number.doubleValue() <= most)) {
            throw wrong(prefix + field, value, "an integer from " + least + " to " + most);
        }
        return number.intValue();
    }

    /** The fields of an object; of an empty one if it is absent. */
    public Map<?, ?> object(String field) {
        Object value = value(field);
        if (value == null) {
            return Map.of();
        }
        if (!(value instanceof Map<?, ?> fields)) {
            throw wrong(prefix + field, value, "an object");
        }
        return fields;
    }

    /** True or false, or null. */
    public Boolean flag(String field) {
        Object value = value(field);
        if (value == null) {
            return null;
        }
        if (!(value instanceof Boolean flag)) {
            throw wrong(prefix + field, value, "true or false");
        }
        return flag;
    }

    /** The values of a list; of one value that is no list, that value; of an absent field, none. */
    public List<?> list(String field) {
        Object value = value(field);
        if (value == null) {
            return List.of();
        }
        return value instanceof List<?> list ? list : List.of(value);
    }

    /** A refusal of a field's value. */
    public DocumentException refused(String field, String allowed) {
        return wrong(prefix + field, object.get(field), allowed);
    }

    /** Refuses what nobody asked for. */
    public void rejectUnread() {
        List<String> unknown = new ArrayList<>();
        for (Object name : object.keySet()) {
            if (!read.contains(String.valueOf(name))) {
                unknown.add(prefix + Words.shown(String.valueOf(name)));
            }
        }
        if (!unknown.isEmpty()) {
            throw new DocumentException(
                    unknown.get(0),
                    "unknown_parameter",
                    "Unknown parameter: '" + String.join("', '", unknown) + "'; allowed: "
                            + String.join(", ", read.stream().sorted().toList()) + ".");
        }
    }

    private static DocumentException wrong(String path, Object value, String allowed) {
        return new DocumentException(
                path,
                "Invalid value for '" + path + "': " + Words.shown(String.valueOf(value)) + "; allowed: " + allowed
                        + ".");
    }

    private static String plain(double bound) {
        return bound == Math.rint(bound) ? String.valueOf((long) bound) : String.valueOf(bound);
    }
}
