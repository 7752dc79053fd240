/**
 * History: conversations and stored answers in PostgreSQL. A request's messages are committed before its answer begins,
 * the answer's text at least every second, and its end before anyone is told of it. Every row has an owner, and nobody
 * sees another's.
 */
package dev.plumbline.conversation;
