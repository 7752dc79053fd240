package dev.plumbline.recall.run;

import dev.plumbline.recall.result.CellRecord;
import java.time.Instant;

/**
 * A cell of a stored run.
 *
 * @param ordinal place in the suite's list of cells, from 0
 * @param claimed whether a server is asking it
 * @param askedBy the server that has asked it, or null
 * @param endedAt when its result was committed, or null
 * @param record what became of it
 */
public record StoredCell(int ordinal, boolean claimed, String askedBy, Instant endedAt, CellRecord record) {}
