package dev.plumbline.runconfig;

import java.util.UUID;

/**
 * What is active in a database.
 *
 * @param config the version
 * @param activation what made it so; null for what the database was made with
 * @param undoable the activation that a rollback undoes; null if nothing is left
 */
record ActiveConfig(RunConfig config, UUID activation, UUID undoable) {}
