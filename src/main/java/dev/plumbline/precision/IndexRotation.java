package dev.plumbline.precision;

/** Value of the flag {@code index_rotation}: an orthogonal map of index queries and keys before they are stored. */
public enum IndexRotation {
    NONE,
    /** Hadamard matrix in Sylvester's order, times the root of one over the width. */
    HADAMARD
}
