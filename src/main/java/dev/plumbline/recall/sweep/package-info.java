/**
 * What {@code sweep} and {@code verify} measured: cells by length and depth as tables, JSON and CSV, and the promises that
 * their rates are held to.
 */
package dev.plumbline.recall.sweep;
