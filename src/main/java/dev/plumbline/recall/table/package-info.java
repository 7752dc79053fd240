/**
 * Recall of several run configs by length: what was measured so far, kept as JSON between calls, and its tables. Knows no
 * Spring and no database.
 */
package dev.plumbline.recall.table;
