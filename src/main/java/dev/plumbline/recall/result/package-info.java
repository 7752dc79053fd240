/**
 * What running a suite gave: records of a run, its cells, and what the indexer did with each cell's needle. Immutable and
 * plain, so that a run in this process, a stored one and one of another server are judged, shown and written alike.
 */
package dev.plumbline.recall.result;
