/**
 * Comparisons that repeat: by the clock of a time zone, or when another run config becomes active. A schedule, its firings
 * and what is told of them are in the database; the library db-scheduler gives each due task to one of the servers that
 * share it. A firing asks {@link dev.plumbline.schedule.Comparer} and goes on from where it was, whichever server lives.
 */
package dev.plumbline.schedule;
