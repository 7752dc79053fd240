/**
 * What a person sees of the server in the browser: a page with the state of the engine and a playground, and one of the
 * run configs. It keeps nothing of its own. What it shows is what the API says, and what it asks goes through the API.
 */
package dev.plumbline.console;
