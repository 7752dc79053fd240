package dev.plumbline.model;

import java.util.List;

/**
 * The architecture of a checkpoint, whichever spelling its {@code config.json} used (spec section 1).
 *
 * @param vocabSize rows of the embedding and of the head
 * @param hiddenSize width D of one residual stream
 * @param layers one entry per layer, in order
 * @param heads query heads; there is one shared key/value head
 * @param headDim width of a head, rotated part included
 * @param ropeDims rotated dims, the last ones of a head and of an index head
 * @param qLoraRank width of the query bottleneck
 * @param oLoraRank rows of the output projection per group
 * @param oGroups groups of the output projection
 * @param slidingWindow tokens a query sees uncompressed, itself included
 * @param indexHeads heads of the indexer
 * @param indexHeadDim width of an index key
 * @param indexTopk the checkpoint's budget
 * @param hcMult residual streams
 * @param sinkhornIterations column normalisations of the mixing matrix
 * @param hcEps epsilon of the hyper-connections
 * @param routedExperts experts to choose from
 * @param sharedExperts experts that see every token, fused into one of this multiple of {@code moeIntermediate}
 * @param expertsPerToken experts chosen for a token
 * @param moeIntermediate width of an expert
 * @param routedScaling factor on the normalised expert weights
 * @param swigluLimit clamp of gate (above) and up (both sides)
 * @param rmsNormEps epsilon of every RMS norm
 * @param mainRope frequencies of sliding-only layers
 * @param compressRope frequencies of CSA and HCA layers
 * @param maxPositions longest context
 * @param bosId begin-of-sentence token
 * @param eosId end-of-sentence token
 */
public record ModelConfig(
        int vocabSize,
        int hiddenSize,
        List<LayerSpec> layers,
        int heads,
        int headDim,
        int ropeDims,
        int qLoraRank,
        int oLoraRank,
        int oGroups,
        int slidingWindow,
        int indexHeads,
        int indexHeadDim,
        int indexTopk,
        int hcMult,
        int sinkhornIterations,
        float hcEps,
        int routedExperts,
        int sharedExperts,
        int expertsPerToken,
        int moeIntermediate,
        float routedScaling,
        float swigluLimit,
        float rmsNormEps,
        RopeSpec mainRope,
        RopeSpec compressRope,
        int maxPositions,
        int bosId,
        int eosId) {

    /** Copies the layer list. */
    public ModelConfig {
        layers = List.copyOf(layers);
    }

    /** Rotary frequencies of a layer of this kind. */
    public RopeSpec rope(AttentionKind kind) {
        return kind == AttentionKind.SLIDING ? mainRope : compressRope;
    }
}
