package dev.plumbline.target;

/**
 * Which model is loaded.
 *
 * @param name what clients call it
 * @param description for people, such as that it was made on purpose to fail; may be empty
 * @param hash SHA-256 of configuration and tensors, 64 hex digits
 * @param parameters weights of all tensors
 * @param maxPositions longest context that the model allows, in tokens
 */
public record ModelFacts(String name, String description, String hash, long parameters, int maxPositions) {}
