/** What a person sees of the server in the browser, and the state of the engine that it shows. */
package dev.plumbline.console;
