package dev.plumbline.model;

/**
 * A tensor that the forward pass needs.
 *
 * @param name in the release's original style
 * @param integer whether it holds token or expert ids instead of weights
 * @param shape dimensions, outermost first
 */
record ExpectedTensor(String name, boolean integer, long... shape) {}
