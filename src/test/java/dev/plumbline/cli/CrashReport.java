package dev.plumbline.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What became of the answers that a server was killed under. */
final class CrashReport {
    private final int rounds;
    private final int streams;
    private int requests;
    private int begun;
    private int dones;
    private int cut;
    private int retrieved;
    private int donesRetrieved;

    CrashReport(int rounds, int streams) {
        this.rounds = rounds;
        this.streams = streams;
    }

    void asked(StoredStream stream) {
        requests++;
        begun += stream.begun() ? 1 : 0;
        dones += stream.done() ? 1 : 0;
        cut += stream.begun() && !stream.done() ? 1 : 0;
    }

    void retrieved(StoredStream stream) {
        retrieved++;
        donesRetrieved += stream.done() ? 1 : 0;
    }

    int dones() {
        return dones;
    }

    int cut() {
        return cut;
    }

    /** Answers that a client saw begin and that cannot be read. */
    int lost() {
        return begun - retrieved;
    }

    void write(Path folder) throws IOException {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("kills", rounds);
        facts.put("streams_per_kill", streams);
        facts.put("requests", requests);
        facts.put("begun", begun);
        facts.put("done_received", dones);
        facts.put("done_retrieved", donesRetrieved);
        facts.put("cut", cut);
        facts.put("cut_retrieved", retrieved - donesRetrieved);
        facts.put("lost", lost());
        facts.put("commit", Machine.commit());
        facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        facts.putAll(Machine.facts());
        JsonMapper json =
                JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
        Files.writeString(folder.resolve("crash-promise.json"), json.writeValueAsString(facts) + "\n");
        Files.writeString(folder.resolve("crash-promise.md"), markdown(facts));
    }

    private static String markdown(Map<String, Object> facts) {
        StringBuilder table = new StringBuilder("""
                # What a kill leaves

                A server with a tiny model is killed (`kill -9`) while streams with `store` run, and started again. Every answer whose
                `[DONE]` was received must be there, letter by letter; every other that had begun must hold at least what its client
                had received a second before the kill. `CrashTest` asserts it; `./plumbline verify` runs it and writes this page.

                | | |
                |---|---|
                """);
        facts.forEach((name, value) -> table.append("| ")
                .append(name.replace('_', ' '))
                .append(" | ")
                .append(value)
                .append(" |\n"));
        return table.toString();
    }
}
