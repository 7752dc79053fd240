/**
 * PostgreSQL: a server of its own in the data folder, or one that the operator names. Calls block, hence they run on
 * threads of their own; a lost database fails them at once and is tried again until it answers.
 */
package dev.plumbline.database;
