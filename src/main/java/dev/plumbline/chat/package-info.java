/**
 * The OpenAI-compatible endpoints: requests are parsed by hand so that every refusal names the field, answers are
 * streamed or collected from a target, and every error has OpenAI's shape.
 */
package dev.plumbline.chat;
