/**
 * What a person sees of the server in the browser: one page with the state of the engine and a playground. It keeps
 * nothing of its own. What it shows is what {@code /api/engine} says, and what it asks goes through the API.
 */
package dev.plumbline.console;
