/**
 * What a person sees of the server in the browser: a page to chat with the state of the engine beside it, one of the run
 * configs, and one of what is recalled under them. It keeps nothing of its own: what it shows is what the API says, and
 * what it asks goes through the API.
 */
package dev.plumbline.console;
