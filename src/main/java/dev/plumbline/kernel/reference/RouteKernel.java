package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Variant;

/** The router (spec 3.9). A NaN counts as −∞ when choosing. */
final class RouteKernel {
    private static final Variant SCORED = new Variant("route.scored.java");
    private static final Variant HASHED = new Variant("route.hashed.java");

    private final Workers workers;

    RouteKernel(Workers workers) {
        this.workers = workers;
    }

    Variant route(
            Batch batch,
            HostTensor logits,
            HostTensor bias,
            HostTensor table,
            float scaling,
            HostTensor ids,
            HostTensor weights) {
        Step step = new Step("route", batch);
        HostTensor tokens = HostTensor.of(batch.tokens());
        int experts = logits.size(1);
        int k = ids.size(1);
        float[] added = bias == null ? new float[experts] : bias.copy(0, experts);
        workers.each(step.rows(), 60L * experts, t -> {
            float[] s = logits.copy((long) t * experts, experts);
            for (int e = 0; e < experts; e++) {
                s[e] = (float) Math.sqrt(softplus(s[e]));
            }
            int[] chosen = new int[k];
            if (table == null) {
                choose(s, added, chosen);
            } else if (!step.isPadding(t)) {
                lookUp(table, tokens.intAt(t), t, experts, chosen);
            }
            float sum = 0;
            for (int e : chosen) {
                sum += s[e];
            }
            float[] w = new float[k];
            for (int i = 0; i < k; i++) {
                w[i] = scaling * s[chosen[i]] / (sum + 1e-20f);
            }
            ids.write(chosen, 0, k, (long) t * k);
            weights.write(w, 0, k, (long) t * k);
        });
        return table == null ? SCORED : HASHED;
    }

    private static double softplus(float z) {
        return z > 20 ? z : Math.log1p(Math.exp(z));
    }

    private static void choose(float[] s, float[] added, int[] chosen) {
        float[] score = new float[s.length];
        for (int e = 0; e < s.length; e++) {
            float sum = s[e] + added[e];
            score[e] = sum == sum ? sum : Float.NEGATIVE_INFINITY;
        }
        boolean[] taken = new boolean[s.length];
        for (int i = 0; i < chosen.length; i++) {
            int best = -1;
            for (int e = 0; e < score.length; e++) {
                if (!taken[e] && (best < 0 || score[e] > score[best])) {
                    best = e;
                }
            }
            taken[best] = true;
            chosen[i] = best;
        }
    }

    private static void lookUp(HostTensor table, int token, int t, int experts, int[] chosen) {
        if (token < 0 || token >= table.dim(0)) {
            throw new KernelException("route: tokens[" + t + "] is " + token + ", allowed: 0 to " + (table.dim(0) - 1));
        }
        table.read((long) token * chosen.length, chosen, 0, chosen.length);
        for (int e : chosen) {
            if (e < 0 || e >= experts) {
                throw new KernelException(
                        "route: table[" + token + "] holds expert " + e + ", allowed: 0 to " + (experts - 1));
            }
        }
    }
}
