/**
 * Checkpoint files: configuration, tensors, tokenizer and chat encoding. Plain Java; knows nothing of kernels or Spring.
 */
package dev.plumbline.model;
