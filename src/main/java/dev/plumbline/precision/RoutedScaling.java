package dev.plumbline.precision;

/** Value of the flag {@code routed_scaling}: where the routed scaling factor is applied, exactly once. */
public enum RoutedScaling {
    /** In the router's weights. */
    FUSED,
    /** To the sum of the routed experts, before it joins the shared expert. */
    SEPARATE
}
