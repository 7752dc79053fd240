/**
 * Judges whole runs: pairs a baseline and a candidate, takes the noise floor from a second run of the baseline, and has a
 * loss repeated on fresh cells. Who asks the cells, and where runs are kept, is up to the caller. Plain Java.
 */
package dev.plumbline.recall.judge;
