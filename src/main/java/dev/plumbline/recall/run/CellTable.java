package dev.plumbline.recall.run;

import dev.plumbline.conversation.StoredText;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.verdict.CellState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of {@code run_cell}. */
final class CellTable {
    private static final int ROWS_OF_INSERT = 5000;

    /** Rows that the driver holds at once where a run is read as a whole. */
    private static final int ROWS_OF_FETCH = 1000;

    private CellTable() {}

    static void insert(JdbcClient client, UUID run, List<SuiteCell> cells) {
        Map<String, Integer> firstOfText = new HashMap<>();
        for (int from = 0; from < cells.size(); from += ROWS_OF_INSERT) {
            insert(client, run, cells, from, Math.min(cells.size(), from + ROWS_OF_INSERT), firstOfText);
        }
    }

    private static void insert(
            JdbcClient client, UUID run, List<SuiteCell> cells, int from, int to, Map<String, Integer> firstOfText) {
        List<Integer> ordinals = new ArrayList<>();
        List<Integer> texts = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        List<String> strata = new ArrayList<>();
        List<Integer> lengths = new ArrayList<>();
        for (int ordinal = from; ordinal < to; ordinal++) {
            SuiteCell cell = cells.get(ordinal);
            int first = ordinal;
            ordinals.add(ordinal);
            // Cells of one text id may still differ in their needles where several strata ask about one haystack.
            texts.add(firstOfText.computeIfAbsent(
                    cell.stratum() + "\n" + cell.textId() + "\n" + cell.needles(), text -> first));
            ids.add(cell.id());
            strata.add(cell.stratum());
            lengths.add(cell.length());
        }
        client.sql("INSERT INTO run_cell (run_id, ordinal, text, cell_id, stratum, length) SELECT :run, * FROM"
                        + " unnest(:ordinals, :texts, :ids, :strata, :lengths)")
                .param("run", run)
                .param("ordinals", ordinals.toArray(Integer[]::new))
                .param("texts", texts.toArray(Integer[]::new))
                .param("ids", ids.toArray(String[]::new))
                .param("strata", strata.toArray(String[]::new))
                .param("lengths", lengths.toArray(Integer[]::new))
                .update();
    }

    /**
     * Takes the waiting cells of one text, so many at most, in their order; none if others have taken all.
     *
     * @throws OtherPlanException if they are not those of the plan
     */
    static List<Integer> claim(JdbcClient client, UUID run, List<SuiteCell> plan, String instance, int most) {
        // Whoever has locked a text's first cell claims of this text; others go on to the next one.
        Optional<Integer> text = client.sql("SELECT l.ordinal FROM run_cell c JOIN run_cell l ON l.run_id = c.run_id"
                        + " AND l.ordinal = c.text WHERE c.run_id = :run AND c.state = 'waiting'"
                        + " ORDER BY c.text, c.ordinal LIMIT 1 FOR UPDATE OF l SKIP LOCKED")
                .param("run", run)
                .query(Integer.class)
                .optional();
        if (text.isEmpty()) {
            return List.of();
        }
        List<Integer> claimed = new ArrayList<>(
                client.sql("UPDATE run_cell SET state = 'claimed', claimed_by = :instance WHERE run_id = :run"
                                + " AND ordinal IN (SELECT ordinal FROM run_cell WHERE run_id = :run AND text = :text"
                                + " AND state = 'waiting' ORDER BY ordinal LIMIT :most FOR UPDATE SKIP LOCKED)"
                                + " RETURNING ordinal, cell_id")
                        .param("instance", instance)
                        .param("run", run)
                        .param("text", text.get())
                        .param("most", most)
                        .query((row, number) -> {
                            int ordinal = row.getInt("ordinal");
                            Plans.at(plan, ordinal, row.getString("cell_id"));
                            return ordinal;
                        })
                        .list());
        claimed.sort(null);
        return claimed;
    }

    /** Stores a result; false if the cell is not this server's any more. */
    static boolean finish(JdbcClient client, UUID run, int ordinal, String instance, CellRecord result) {
        return client.sql("UPDATE run_cell SET state = :state, claimed_by = NULL, asked_by = :instance,"
                                + " prompt_hash = :hash, expected = :expected, answer = :answer, distance = :distance,"
                                + " reason = :reason, finish_reason = :finish, prompt_tokens = :promptTokens,"
                                + " answer_tokens = :answerTokens, first_token_ms = :first, total_ms = :total,"
                                + " needle = CAST(:needle AS json), ended_at = clock_timestamp()"
                                + " WHERE run_id = :run AND ordinal = :ordinal AND state = 'claimed'"
                                + " AND claimed_by = :instance")
                        .param("state", word(result.state()))
                        .param("instance", instance)
                        .param("hash", result.promptHash())
                        .param("expected", result.expected().toArray(String[]::new))
                        .param("answer", StoredText.encode(result.answer()))
                        .param("distance", result.distance())
                        .param("reason", StoredText.encode(result.reason()))
                        .param("finish", StoredText.encode(result.finishReason()))
                        .param("promptTokens", result.promptTokens())
                        .param("answerTokens", result.answerTokens())
                        .param("first", known(result.firstTokenMillis()), Types.DOUBLE)
                        .param("total", known(result.totalMillis()), Types.DOUBLE)
                        .param("needle", NeedleJson.write(result.needle()).toString())
                        .param("run", run)
                        .param("ordinal", ordinal)
                        .update()
                == 1;
    }

    private static Double known(double millis) {
        return Double.isNaN(millis) ? null : millis;
    }

    /** Gives back what a server has claimed of a run. */
    static void release(JdbcClient client, UUID run, String instance) {
        client.sql("UPDATE run_cell SET state = 'waiting', claimed_by = NULL"
                        + " WHERE run_id = :run AND state = 'claimed' AND claimed_by = :instance")
                .param("run", run)
                .param("instance", instance)
                .update();
    }

    /** Gives back what servers have claimed that are gone. */
    static int releaseLost(JdbcClient client, double seconds) {
        return client.sql("UPDATE run_cell SET state = 'waiting', claimed_by = NULL WHERE state = 'claimed'"
                        + " AND claimed_by NOT IN (SELECT instance FROM run_worker"
                        + " WHERE touched_at > clock_timestamp() - make_interval(secs => :age))")
                .param("age", seconds)
                .update();
    }

    /** A part of a run's cells, after an ordinal, and one more than the page holds. */
    static List<StoredCell> page(
            JdbcClient client,
            UUID run,
            List<SuiteCell> plan,
            CellFilter filter,
            int after,
            boolean ascending,
            int limit) {
        return client.sql("SELECT * FROM run_cell WHERE run_id = :run AND ordinal " + (ascending ? ">" : "<")
                        + " :after"
                        + (filter.stratum() == null ? "" : " AND stratum = :stratum")
                        + (filter.state() == null ? "" : " AND state = :state")
                        + (filter.shortest() == null ? "" : " AND length >= :shortest")
                        + (filter.longest() == null ? "" : " AND length <= :longest")
                        + (filter.phase() == null ? "" : " AND length % 4 = :phase")
                        + (filter.placement() == null ? "" : " AND split_part(cell_id, '/', 3) = :placement")
                        + " ORDER BY ordinal" + (ascending ? "" : " DESC") + " LIMIT :limit")
                .param("run", run)
                .param("after", after)
                .param("stratum", filter.stratum())
                .param("state", filter.state())
                .param("shortest", filter.shortest())
                .param("longest", filter.longest())
                .param("phase", filter.phase())
                .param("placement", filter.placement())
                .param("limit", limit + 1)
                .query(row(plan))
                .list();
    }

    /** Counts by stratum, length and placement, which is the third part of a cell's id. */
    static List<RunGrid.Group> groups(JdbcClient client, UUID run) {
        return client.sql("SELECT stratum, length, split_part(cell_id, '/', 3) AS placement, count(*) AS cells,"
                        + " count(*) FILTER (WHERE state = 'passed') AS passed,"
                        + " count(*) FILTER (WHERE state = 'failed') AS failed,"
                        + " count(*) FILTER (WHERE state = 'truncated') AS truncated,"
                        + " count(*) FILTER (WHERE state = 'error') AS errors"
                        + " FROM run_cell WHERE run_id = :run GROUP BY 1, 2, 3 ORDER BY min(ordinal)")
                .param("run", run)
                .query((row, number) -> new RunGrid.Group(
                        row.getString("stratum"),
                        row.getInt("length"),
                        row.getString("placement"),
                        new RunCounts(
                                row.getInt("cells"),
                                row.getInt("passed"),
                                row.getInt("failed"),
                                row.getInt("truncated"),
                                row.getInt("errors"))))
                .list();
    }

    /** Every cell. */
    static List<CellRecord> all(JdbcClient client, UUID run, List<SuiteCell> plan) {
        return client.sql("SELECT * FROM run_cell WHERE run_id = :run ORDER BY ordinal")
                .withFetchSize(ROWS_OF_FETCH)
                .param("run", run)
                .query((row, number) -> cell(row, plan).record())
                .list();
    }

    /** Every cell with its state and the hash of its prompt only. */
    static List<CellRecord> outcomes(JdbcClient client, UUID run, List<SuiteCell> plan) {
        return client.sql("SELECT ordinal, cell_id, state, prompt_hash FROM run_cell WHERE run_id = :run"
                        + " ORDER BY ordinal")
                .withFetchSize(ROWS_OF_FETCH)
                .param("run", run)
                .query((row, number) -> outcome(row, plan))
                .list();
    }

    private static CellRecord outcome(ResultSet row, List<SuiteCell> plan) throws SQLException {
        SuiteCell cell = Plans.at(plan, row.getInt("ordinal"), row.getString("cell_id"));
        String state = row.getString("state");
        return unfinished(state)
                ? CellRecord.missing(cell)
                : CellRecord.bare(
                        cell, CellState.valueOf(state.toUpperCase(Locale.ROOT)), row.getString("prompt_hash"));
    }

    private static boolean unfinished(String state) {
        return state.equals("claimed") || state.equals("waiting");
    }

    static List<StoredCell> some(JdbcClient client, UUID run, List<SuiteCell> plan, List<Integer> ordinals) {
        return client.sql("SELECT * FROM run_cell WHERE run_id = :run AND ordinal = ANY(:ordinals)")
                .param("run", run)
                .param("ordinals", ordinals.toArray(Integer[]::new))
                .query(row(plan))
                .list();
    }

    static OptionalInt ordinal(JdbcClient client, UUID run, String cell) {
        return client
                .sql("SELECT ordinal FROM run_cell WHERE run_id = :run AND cell_id = :cell")
                .param("run", run)
                .param("cell", cell)
                .query(Integer.class)
                .stream()
                .mapToInt(Integer::intValue)
                .findFirst();
    }

    private static RowMapper<StoredCell> row(List<SuiteCell> plan) {
        return (row, number) -> cell(row, plan);
    }

    private static StoredCell cell(ResultSet row, List<SuiteCell> plan) throws SQLException {
        int ordinal = row.getInt("ordinal");
        SuiteCell cell = Plans.at(plan, ordinal, row.getString("cell_id"));
        String state = row.getString("state");
        CellRecord record = unfinished(state) ? CellRecord.missing(cell) : record(row, cell, state);
        return new StoredCell(
                ordinal, state.equals("claimed"), row.getString("asked_by"), RunTable.instant(row, "ended_at"), record);
    }

    private static CellRecord record(ResultSet row, SuiteCell cell, String state) throws SQLException {
        return new CellRecord(
                cell,
                CellState.valueOf(state.toUpperCase(Locale.ROOT)),
                row.getString("prompt_hash"),
                Arrays.asList((String[]) row.getArray("expected").getArray()),
                StoredText.decode(row.getString("answer")),
                row.getInt("distance"),
                StoredText.decode(row.getString("reason")),
                StoredText.decode(row.getString("finish_reason")),
                row.getInt("prompt_tokens"),
                row.getInt("answer_tokens"),
                millis(row, "first_token_ms"),
                millis(row, "total_ms"),
                NeedleJson.read(row.getString("needle")));
    }

    private static double millis(ResultSet row, String column) throws SQLException {
        double millis = row.getDouble(column);
        return row.wasNull() ? Double.NaN : millis;
    }

    private static String word(CellState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
