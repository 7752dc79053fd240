package dev.plumbline.precision;

/** Value of the flag {@code attention_decode}: the attention of rows in the decode stage. */
public enum AttentionDecode {
    /** Query, keys, probabilities and values rounded to bf16, sums in fp32: what matrix units multiply. */
    MMA,
    /** Everything in fp32, as in prefill. */
    SCALAR
}
