/**
 * Suites in the database: named, versioned, never changed. The built-in ones are put there when a server starts; users add
 * their own by YAML or JSON.
 */
package dev.plumbline.recall.suite.stored;
