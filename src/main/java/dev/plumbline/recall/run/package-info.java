/**
 * Runs kept in PostgreSQL: a suite asked under one run config on one target. Every server of the database takes cells of a
 * run that it can answer; each result is committed alone, so that a run goes on wherever a server was lost.
 */
package dev.plumbline.recall.run;
