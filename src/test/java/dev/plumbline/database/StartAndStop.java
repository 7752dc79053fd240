package dev.plumbline.database;

import java.nio.file.Path;

/** Starts an embedded server, writes a row, says what it has read, and stops: a process whose environment a test chooses. */
final class StartAndStop {
    private StartAndStop() {}

    /** Takes a data folder and the folder of the programs. */
    public static void main(String[] arguments) {
        try (Database database = Database.embedded(Path.of(arguments[0]), Path.of(arguments[1]))) {
            long rows = database.now(client -> {
                client.sql("CREATE TABLE IF NOT EXISTS start (n int)").update();
                client.sql("INSERT INTO start VALUES (1)").update();
                return client.sql("SELECT count(*) FROM start")
                        .query(Long.class)
                        .single();
            });
            System.out.println("rows: " + rows);
        } catch (DatabaseException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }
}
