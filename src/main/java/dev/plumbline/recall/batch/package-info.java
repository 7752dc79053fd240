/**
 * Asks the cells of a suite in this process, many at once, in an order that lets questions about one text share what was
 * computed of it. Needs no database. Knows no Spring.
 */
package dev.plumbline.recall.batch;
