/** Reads and writes the documents people hand in: YAML of plain maps and lists, and their fields, checked one by one. */
package dev.plumbline.document;
