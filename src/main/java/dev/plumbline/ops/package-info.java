/** Running the server: health, and an end that neither hangs nor cuts answers without a word. */
package dev.plumbline.ops;
