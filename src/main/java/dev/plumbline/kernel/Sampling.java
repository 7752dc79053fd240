package dev.plumbline.kernel;

/**
 * How to sample n rows of logits; all tensors on the device. Every backend takes these steps, in this arithmetic:
 *
 * <ol>
 *   <li>each adjustment is added to its logit in float, in order; a NaN logit then counts as −∞;
 *   <li>greedy (highest logit, −0 equal to +0, ties to the lower id) if the temperature is not above 0 or the highest
 *       logit is infinite;
 *   <li>otherwise tokens are ordered by logit, highest first, ties to the lower id, with weights
 *       {@code exp(((double) logit − highest) / temperature)} in double;
 *   <li>the nucleus is the shortest prefix whose running sum reaches {@code topP · total}; its sum is the mass;
 *   <li>u = first word of Philox4x32-10 with key (seed low, seed high) and counter (position, choice, 0, 0), shifted
 *       right by 8, times 2^-24;
 *   <li>the token is the first of the nucleus whose running sum exceeds u · mass, else the nucleus' last.
 * </ol>
 *
 * @param adjustmentStart [n + 1] int32: adjustments of row i are {@code adjustmentStart[i] .. adjustmentStart[i+1]}
 * @param adjustmentToken [A] int32 token ids (A ≥ 1 for the tensor's sake)
 * @param adjustment [A] fp32 added to the logit of that token before anything else (penalties, logit_bias)
 * @param temperature [n] fp32; 0 = greedy, ties to the lower id
 * @param topP [n] fp32 in (0, 1]: the smallest set of most probable tokens (ties: lower id first) whose mass reaches it
 * @param seed [n, 2] int32 low and high word of the request's seed
 * @param choice [n] int32 index of the choice within the request
 * @param position [n] int32 position of the token being sampled; (seed, choice, position) key Philox4x32-10
 */
public record Sampling(
        Tensor adjustmentStart,
        Tensor adjustmentToken,
        Tensor adjustment,
        Tensor temperature,
        Tensor topP,
        Tensor seed,
        Tensor choice,
        Tensor position) {}
