/**
 * Counts what every key asks of the model, in PostgreSQL by the hour. The usage of a stored answer is committed with it,
 * any other about a second later.
 */
package dev.plumbline.usage;
