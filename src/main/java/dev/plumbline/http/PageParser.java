package dev.plumbline.http;

import dev.plumbline.conversation.PageRequest;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.ServerRequest;

/** Query parameters of lists: every one is known and stands there once. */
public final class PageParser {
    private static final int LIMIT = 20;
    private static final int MOST = 100;
    private static final String PAIR = "metadata[";
    private static final Set<String> PAGE = Set.of("limit", "after", "order");

    private final MultiValueMap<String, String> parameters;

    private PageParser(MultiValueMap<String, String> parameters) {
        this.parameters = parameters;
    }

    /** Parameters of which only these and the page's are allowed; {@code metadata} stands for its pairs. */
    public static PageParser of(ServerRequest request, Set<String> others) {
        Set<String> known = new HashSet<>(others);
        known.addAll(PAGE);
        return only(request, known);
    }

    /** Parameters of which only these are allowed: those of a path that is no list. */
    public static PageParser only(ServerRequest request, Set<String> known) {
        PageParser parser = new PageParser(request.queryParams());
        parser.parameters.forEach((name, values) -> check(name, values, known));
        return parser;
    }

    private static void check(String name, List<String> values, Set<String> all) {
        boolean pair = name.startsWith(PAIR) && name.endsWith("]") && all.contains("metadata");
        boolean known = all.contains(name) && !name.equals("metadata");
        String shown = Refusal.shorten(name);
        if (!pair && !known) {
            throw ApiException.badRequest(
                    shown,
                    "unknown_parameter",
                    "Unknown parameter: '" + shown + "'; allowed: " + String.join(", ", new TreeSet<>(all)) + ".");
        }
        if (values.size() != 1 || values.get(0) == null) {
            throw ApiException.badRequest(
                    shown, "invalid_value", "Invalid value for '" + shown + "'; allowed: one value.");
        }
    }

    /** The page; {@code ascending} unless the order says otherwise. */
    public PageRequest page(boolean ascending) {
        return page(ascending, MOST);
    }

    /** The same of at most so many items. */
    public PageRequest page(boolean ascending, int most) {
        String order = parameters.getFirst("order");
        if (order != null && !order.equals("asc") && !order.equals("desc")) {
            throw refused("order", order, "asc, desc");
        }
        return new PageRequest(limit(most), text("after"), order == null ? ascending : order.equals("asc"));
    }

    /** Refuses what cannot be the id of an item; one that is deleted still tells where to go on. */
    public static void requireAfter(PageRequest page, Predicate<String> isId, String allowed) {
        if (page.after() != null && !isId.test(page.after())) {
            throw refused("after", page.after(), allowed);
        }
    }

    /** Refuses what cannot be the id of {@code one}, such as {@code a run}. */
    public static void requireIdAfter(PageRequest page, String one) {
        requireAfter(page, id -> Ids.parse(id).isPresent(), "the id of " + one);
    }

    private int limit(int most) {
        String limit = parameters.getFirst("limit");
        if (limit == null) {
            return LIMIT;
        }
        if (!limit.matches("[0-9]{1,4}") || Integer.parseInt(limit) < 1 || Integer.parseInt(limit) > most) {
            throw refused("limit", limit, "an integer from 1 to " + most);
        }
        return Integer.parseInt(limit);
    }

    /** A text, or null. */
    public String text(String name) {
        return parameters.getFirst(name);
    }

    /** Pairs that were asked for as {@code metadata[key]=value}. */
    public Map<String, String> metadata() {
        Map<String, String> pairs = new LinkedHashMap<>();
        parameters.forEach((name, values) -> {
            if (name.startsWith(PAIR)) {
                pairs.put(name.substring(PAIR.length(), name.length() - 1), values.get(0));
            }
        });
        return pairs;
    }

    /** 400 for a parameter of a wrong value. */
    public static ApiException refused(String name, String value, String allowed) {
        return ApiException.badRequest(
                name,
                "invalid_value",
                "Invalid value for '" + name + "': '" + Refusal.shorten(value) + "'; allowed: " + allowed + ".");
    }
}
