package dev.plumbline.conversation;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowMapper;

/**
 * A part of a list.
 *
 * @param items its items
 * @param more whether others follow
 */
public record Page<T>(List<T> items, boolean more) {
    /** Characters after which a page ends, however few items it has. */
    static final int MOST_CHARACTERS = 4 << 20;

    /** Rows that are fetched at a time, since each may hold a long text. */
    static final int FETCHED = 16;

    /** Copies the list. */
    public Page {
        items = List.copyOf(items);
    }

    /** The first {@code limit} of the items that were found; whoever asked for one more knows whether others follow. */
    public static <T> Page<T> cut(List<T> found, int limit) {
        boolean more = found.size() > limit;
        return new Page<>(more ? found.subList(0, limit) : found, more);
    }

    /** Reads rows of which one more was asked for than a page holds. */
    static <T> ResultSetExtractor<Page<T>> reader(int limit, RowMapper<T> mapper, ToIntFunction<T> characters) {
        return rows -> read(rows, limit, mapper, characters);
    }

    private static <T> Page<T> read(ResultSet rows, int limit, RowMapper<T> mapper, ToIntFunction<T> characters)
            throws SQLException {
        List<T> items = new ArrayList<>();
        long read = 0;
        while (rows.next()) {
            if (items.size() == limit || read >= MOST_CHARACTERS) {
                return new Page<>(items, true);
            }
            T item = mapper.mapRow(rows, items.size());
            items.add(item);
            read += characters.applyAsInt(item);
        }
        return new Page<>(items, false);
    }
}
