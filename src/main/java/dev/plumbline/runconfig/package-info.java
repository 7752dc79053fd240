/**
 * Run configs: named, versioned precision profiles with sampling defaults, kept in the database. One of them is active;
 * every server of the database serves it, and each activation is audited with what every server proved about it.
 */
package dev.plumbline.runconfig;
