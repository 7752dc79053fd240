package dev.plumbline.recall.remote;

/**
 * A target with its key as the database has it.
 *
 * @param sealedKey null if it has none
 */
record StoredTarget(RemoteTarget target, byte[] sealedKey) {}
