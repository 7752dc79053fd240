/**
 * What answers a chat: a model loaded into the native engine, found by name or folder, on a backend chosen at start.
 * Turns messages into a stream of events and a cancelled stream into a cancelled generation. Knows Reactor, not Spring.
 */
package dev.plumbline.target;
