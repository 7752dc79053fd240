package dev.plumbline.kernel;

/**
 * Weights of one hyper-connection (spec section 3.3); all tensors fp32, but {@code fn} may be bf16.
 *
 * @param fn [(2 + h)·h, h·D] projection; when it is bf16 the streams are rounded to bf16 too where they are multiplied
 *     with it, and accumulation is fp32. Everything else stays fp32: the norm's factor, and the streams that the results
 *     weigh
 * @param base [(2 + h)·h] offsets: pre, post, then comb row-major
 * @param scale [3] factors of pre, post and comb
 * @param iterations column normalisations in all
 * @param hcEps added to pre, to the softmax and to each normaliser
 * @param normEps epsilon under the root of the flattened streams
 */
public record HyperWeights(Tensor fn, Tensor base, Tensor scale, int iterations, float hcEps, float normEps) {}
