/**
 * Cells asked of servers elsewhere, over HTTP: any that speaks OpenAI's chat completions, and SGLang, whose native endpoint
 * also tells what the indexer selected. Keeps their addresses and keys, measures prompts by what they count, and makes of
 * everything that can go wrong a sentence.
 */
package dev.plumbline.recall.remote;
