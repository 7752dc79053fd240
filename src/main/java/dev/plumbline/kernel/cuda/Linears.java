package dev.plumbline.kernel.cuda;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.LinearWeight;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.kernel.Variant;
import dev.plumbline.kernel.cuda.CudaContext.Scratch;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Launches of the matrix kernels: linears, groups, routed experts. Tiles of 16 rows for few rows, else of 64. */
final class Linears {
    private static final int SMALL = 16;
    private static final int LARGE = 64;
    private static final int COLUMNS = 64;
    private static final int FP32_THREADS = 256;
    private static final int BF16_THREADS = 128;
    private static final int PLAN_THREADS = 256;
    private static final int TILE_FIELDS = 3;

    private final CudaContext context;
    private final Call call;
    /** Device arrays of matrix addresses by the matrices. A closed matrix is never equal to a new one. */
    private final Map<List<LinearWeight>, CudaMemory> tables = new HashMap<>();

    Linears(CudaContext context, Call call) {
        this.context = context;
        this.call = call;
    }

    Variant linear(Tensor x, LinearWeight weight, Tensor y) {
        CudaLinearWeight own = CudaLinearWeight.of(weight);
        int tile = tileFor(x.dim(0));
        begin(Kernel.LINEAR, own.form(), tile, "PLAIN");
        call.struct().slot(x).slot(own.inputs()).slot(y).slot(own.outputs()).slot(x.dim(0));
        matrix(own).slot(own.address()).slot(0).slot(0).slot(0).slot(0);
        run(own, tiles(x.dim(0), tile), 1);
        return call.variant(own.form() == DType.BF16 ? "linear.bf16" : "linear.fp32");
    }

    Variant groupedLinear(Tensor x, List<? extends LinearWeight> weights, Tensor y) {
        CudaLinearWeight first = oneForm("groupedLinear", weights);
        long groups = weights.size();
        long table = table(weights);
        int tile = tileFor(x.dim(0));
        begin(Kernel.GROUPED_LINEAR, first.form(), tile, "GROUPED");
        call.struct().slot(x).slot(groups * first.inputs());
        call.slot(y).slot(groups * first.outputs()).slot(x.dim(0));
        matrix(first).slot(0).slot(table).slot(0).slot(0).slot(0);
        run(first, tiles(x.dim(0), tile), groups);
        return call.variant(first.form() == DType.BF16 ? "groupedLinear.bf16" : "groupedLinear.fp32");
    }

    Variant experts(
            Batch batch,
            Tensor x,
            Tensor ids,
            Tensor weights,
            List<? extends LinearWeight> gateUp,
            List<? extends LinearWeight> down,
            float limit,
            Float scaling,
            Tensor y) {
        CudaLinearWeight in = oneForm("experts", gateUp);
        CudaLinearWeight out = oneForm("experts", down);
        long chosen = ids.dim(1);
        long choices = batch.rows() * chosen;
        int experts = gateUp.size();
        int tile = tileFor(choices / experts);
        // A tile holds rows of one expert: the last one of each may be partly empty.
        long mostTiles = Math.min(choices, choices / tile + experts);
        long inTable = table(gateUp);
        long outTable = table(down);
        long places = context.scratch(Scratch.EXPERT_PLACES, choices * Integer.BYTES);
        long tiles = context.scratch(Scratch.EXPERT_TILES, mostTiles * TILE_FIELDS * Integer.BYTES);
        long both = context.scratch(Scratch.EXPERT_GATE_UP, choices * in.outputs() * Float.BYTES);
        long hidden = context.scratch(Scratch.EXPERT_HIDDEN, choices * out.inputs() * Float.BYTES);
        long results = context.scratch(Scratch.EXPERT_RESULTS, choices * out.outputs() * Float.BYTES);

        call.of(Kernel.EXPERTS, "expert_plan", "expertPlan").launch().batch(batch);
        call.number(experts).number(chosen).tensor(ids).number(tile);
        call.number(places).number(tiles).number(mostTiles);
        call.run(Math.min(1, choices), 1, 1, PLAN_THREADS, 2L * (experts + 1) * Integer.BYTES);

        begin(Kernel.EXPERTS, in.form(), tile, "EXPERTS_IN");
        call.struct().slot(x).slot(in.inputs()).slot(both).slot(in.outputs()).slot(choices);
        matrix(in).slot(0).slot(inTable).slot(places).slot(tiles).slot(chosen);
        run(in, mostTiles, 1);

        call.of(Kernel.EXPERTS, "swiglu", "swiglu").number(choices).number(out.inputs());
        call.number(both).real(limit).number(hidden);
        call.runOver(choices * out.inputs(), PLAN_THREADS);

        begin(Kernel.EXPERTS, out.form(), tile, "EXPERTS_OUT");
        call.struct()
                .slot(hidden)
                .slot(out.inputs())
                .slot(results)
                .slot(out.outputs())
                .slot(choices);
        matrix(out).slot(0).slot(outTable).slot(places).slot(tiles).slot(chosen);
        run(out, mostTiles, 1);

        call.of(Kernel.EXPERTS, "expert_sum", "expertSum").launch().batch(batch);
        call.number(out.outputs())
                .number(chosen)
                .tensor(weights)
                .number(results)
                .number(scaling == null ? 0 : 1)
                .real(scaling == null ? 1 : scaling)
                .tensor(y);
        call.run(batch.rows(), 1, 1, PLAN_THREADS, 0);
        return call.variant(
                (in.form() == DType.BF16 ? "experts.bf16" : "experts.fp32") + (scaling == null ? "" : ".scaled_sum"));
    }

    private static int tileFor(long rows) {
        return rows <= SMALL ? SMALL : LARGE;
    }

    private static long tiles(long rows, int tile) {
        return (rows + tile - 1) / tile;
    }

    private void begin(Kernel kernel, DType form, int tile, String mode) {
        boolean bf16 = form == DType.BF16;
        call.of(
                kernel,
                bf16 ? "linear_bf16" : "linear_fp32",
                (bf16 ? "linearBf16<" : "linearFp32<") + tile + ", " + mode + ">");
    }

    /** The slots of a matrix's sizes in GemmArguments. */
    private Call matrix(CudaLinearWeight weight) {
        return call.slot(weight.outputs()).slot(weight.inputs()).slot(weight.stride());
    }

    private void run(CudaLinearWeight weight, long rowTiles, long groups) {
        long columnTiles = (weight.outputs() + COLUMNS - 1) / COLUMNS;
        call.run(columnTiles, rowTiles, groups, weight.form() == DType.BF16 ? BF16_THREADS : FP32_THREADS, 0);
    }

    private static CudaLinearWeight oneForm(String kernel, List<? extends LinearWeight> weights) {
        CudaLinearWeight first = CudaLinearWeight.of(weights.get(0));
        for (LinearWeight weight : weights) {
            if (weight.form() != first.form()) {
                throw new KernelException(
                        kernel + ": weights are " + first.form() + " and " + weight.form() + ", expected one form");
            }
        }
        return first;
    }

    /** Address of the addresses of the matrices, uploaded once. */
    private long table(List<? extends LinearWeight> weights) {
        CudaMemory known = tables.get(weights);
        if (known == null) {
            int bytes = weights.size() * Long.BYTES;
            known = context.ledger().allocate("a table of " + weights.size() + " matrices", bytes);
            ByteBuffer staging = context.staging();
            for (int i = 0; i < weights.size(); i++) {
                staging.putLong(
                        i * Long.BYTES, CudaLinearWeight.of(weights.get(i)).address());
            }
            context.stream().toDevice(known.address(), staging, bytes);
            tables.put(List.copyOf(weights), known);
        }
        return known.address();
    }
}
