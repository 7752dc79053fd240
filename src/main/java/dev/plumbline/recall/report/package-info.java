/**
 * Writes runs and comparisons as CSV, JSON, JUnit XML and Markdown. Plain Java over records. Names, answers and facts are
 * text of strangers: each writer makes them harmless where they go.
 */
package dev.plumbline.recall.report;
