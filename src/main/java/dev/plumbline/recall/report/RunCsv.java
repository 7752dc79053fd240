package dev.plumbline.recall.report;

import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.result.NeedleTrace;
import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.suite.SuiteCell;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/** The cells of a run as CSV (RFC 4180). */
final class RunCsv {
    private static final List<String> COLUMNS = List.of(
            "run",
            "suite",
            "run_config",
            "model",
            "cell",
            "stratum",
            "task",
            "length",
            "phase",
            "placement",
            "depth",
            "haystack",
            "question",
            "seed",
            "state",
            "distance",
            "reason",
            "expected",
            "answer",
            "finish_reason",
            "prompt_tokens",
            "answer_tokens",
            "first_token_ms",
            "total_ms",
            "prompt_hash");

    /** What spreadsheets take for the beginning of a formula, also in the width of East Asian letters. */
    private static final String FORMULA = "=+-@\t\r\n＝＋－＠";

    /** A trace that has columns of its own. */
    private record Place(int layer, String stage, int value) {
        static Place of(NeedleTrace trace) {
            return new Place(trace.layer(), RecordJson.word(trace.stage()), trace.value());
        }

        String column(String what) {
            return "layer" + layer + "_" + stage + "_value" + value + "_" + what;
        }
    }

    private RunCsv() {}

    static String of(RunRecord run) {
        List<Place> places = run.cells().stream()
                .flatMap(cell -> cell.needle().stream())
                .map(Place::of)
                .distinct()
                .sorted(Comparator.comparingInt(Place::layer)
                        .thenComparing(Place::stage, Comparator.reverseOrder())
                        .thenComparingInt(Place::value))
                .toList();
        StringBuilder out = new StringBuilder();
        try (CSVPrinter printer = new CSVPrinter(out, CSVFormat.RFC4180)) {
            List<String> header = new ArrayList<>(COLUMNS);
            places.forEach(place ->
                    List.of("selected", "rank", "margin", "mass").forEach(what -> header.add(place.column(what))));
            printer.printRecord(header);
            for (CellRecord cell : run.cells()) {
                printer.printRecord(row(run, cell, places));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }

    private static List<Object> row(RunRecord run, CellRecord record, List<Place> places) {
        SuiteCell cell = record.cell();
        List<Object> row = new ArrayList<>();
        row.add(text(run.id()));
        row.add(text(run.suite().label()));
        row.add(text(run.runConfig()));
        row.add(text(run.target().model()));
        row.add(text(cell.id()));
        row.add(text(cell.stratum()));
        row.add(text(cell.task().label()));
        row.add(cell.length());
        row.add(cell.phase());
        row.add(text(cell.placement().label()));
        row.add(cell.placement().depth());
        row.add(cell.haystack());
        row.add(cell.question());
        row.add(cell.seed());
        row.add(RecordJson.word(record.state()));
        row.add(record.distance());
        row.add(text(record.reason()));
        row.add(text(String.join(", ", record.expected())));
        row.add(text(record.answer()));
        row.add(text(record.finishReason()));
        row.add(record.promptTokens());
        row.add(record.answerTokens());
        row.add(millis(record.firstTokenMillis()));
        row.add(millis(record.totalMillis()));
        row.add(text(record.promptHash()));
        Map<Place, NeedleTrace> traces = new HashMap<>();
        record.needle().forEach(trace -> traces.put(Place.of(trace), trace));
        for (Place place : places) {
            NeedleTrace trace = traces.get(place);
            row.add(trace == null ? null : trace.selected());
            row.add(trace == null ? null : trace.rank());
            row.add(trace == null ? null : Numbers.finite(trace.margin()));
            row.add(trace == null ? null : Numbers.finite(trace.mass()));
        }
        return row;
    }

    private static String millis(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.1f", value) : null;
    }

    /** A text that no spreadsheet computes; null characters, which some readers stop at, are replaced. */
    private static String text(String value) {
        String safe = value.replace('\0', '\uFFFD');
        return formula(safe) || formula(safe.stripLeading()) ? "'" + safe : safe;
    }

    private static boolean formula(String text) {
        return !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0;
    }
}
