package dev.plumbline.model;

/**
 * The kind of one layer.
 *
 * @param attention what the layer attends to
 * @param ratio tokens per compressed entry; 0 for {@link AttentionKind#SLIDING}
 * @param hashRouted whether experts are looked up by token id ({@code tid2eid}) instead of chosen by score
 */
public record LayerSpec(AttentionKind attention, int ratio, boolean hashRouted) {}
