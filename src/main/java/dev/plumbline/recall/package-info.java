/**
 * Measures recall: builds prompts of an exact token length with facts planted in them, asks a target, and scores the
 * answers. Every prompt comes from {@code recall/haystack.json} and a seed, so that a cell can be asked again. Knows no
 * Spring.
 */
package dev.plumbline.recall;
