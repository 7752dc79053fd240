/**
 * Comparisons of stored runs: judges runs that are there, and makes those that a verdict needs, one after the other, over
 * restarts and on any server of the database.
 */
package dev.plumbline.recall.compare;
