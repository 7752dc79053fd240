/**
 * The OpenAI-compatible endpoints and the history of what they answered: requests are parsed by hand so that every
 * refusal names the field, answers are streamed or collected from a target.
 */
package dev.plumbline.chat;
