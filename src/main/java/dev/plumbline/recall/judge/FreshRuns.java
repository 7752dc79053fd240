package dev.plumbline.recall.judge;

import dev.plumbline.recall.result.RunRecord;

/**
 * Fresh cells under both configurations.
 *
 * @param baseline answers of the baseline
 * @param candidate answers of the candidate
 */
public record FreshRuns(RunRecord baseline, RunRecord candidate) {}
