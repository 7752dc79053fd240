package dev.plumbline.engine;

import dev.plumbline.kernel.KeyTransform;
import dev.plumbline.precision.IndexRotation;
import dev.plumbline.precision.Numerics;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.StorageType;

/**
 * What a profile does to keys and index queries before storage.
 *
 * <p>{@code numerics=qat} is that of spec section 3.12 for index queries and keys and for window and compressed
 * keys/values. The activations of linears are rounded there too, but only of linears whose weights are stored in fp8 or
 * fp4; this release reads no such checkpoint, so there is nothing to round.
 *
 * @param index of index keys and index queries
 * @param entries of compressed keys/values
 * @param window of window keys/values
 */
record CacheTransforms(KeyTransform index, KeyTransform entries, KeyTransform window) {

    static CacheTransforms of(PrecisionProfile profile) {
        boolean trained = profile.numerics() == Numerics.QAT;
        boolean rotated = profile.indexRotation() == IndexRotation.HADAMARD;
        KeyTransform rotation = rotated ? KeyTransform.HADAMARD : KeyTransform.NONE;
        KeyTransform rounding = trained ? KeyTransform.FP8_BLOCKS : KeyTransform.NONE;
        return new CacheTransforms(
                trained ? KeyTransform.HADAMARD_FP4 : rotation,
                rounding,
                // The step's own keys are attended to before the ring stores them: as what the ring will hold.
                profile.kv() == StorageType.FP8 ? KeyTransform.FP8_BLOCKS : rounding);
    }
}
