package dev.plumbline.precision;

/**
 * What the memory of a context depends on in a model.
 *
 * @param name what people call it
 * @param slidingLayers layers that see nothing but the window
 * @param csaLayers compressed sparse attention, with an indexer
 * @param hcaLayers heavily compressed attention
 * @param headDim width of a key/value, rotated dims included
 * @param ropeDims its rotated dims
 * @param slidingWindow tokens of the window
 * @param csaRatio tokens per entry of a CSA layer; 0 without such layers
 * @param hcaRatio tokens per entry of an HCA layer; 0 without such layers
 * @param indexHeadDim width of an index key
 * @param indexTopk the checkpoint's budget
 */
public record Architecture(
        String name,
        int slidingLayers,
        int csaLayers,
        int hcaLayers,
        int headDim,
        int ropeDims,
        int slidingWindow,
        int csaRatio,
        int hcaRatio,
        int indexHeadDim,
        int indexTopk) {

    /** DeepSeek-V4-Flash, from its published {@code config.json}; the layer for multi-token prediction is not counted. */
    public static final Architecture V4_FLASH = new Architecture("v4-flash", 2, 21, 20, 512, 64, 128, 4, 128, 128, 512);

    /** Number of layers. */
    public int layers() {
        return slidingLayers + csaLayers + hcaLayers;
    }
}
