package dev.plumbline.kernel;

/** What weights of every backend share: size and compute form. A backend adds its own layout. */
public abstract class Matrix implements LinearWeight {
    private final int outputs;
    private final int inputs;
    private final DType form;

    /** @throws KernelException if the matrix is empty or the form is neither FP32 nor BF16 */
    protected Matrix(int outputs, int inputs, DType form) {
        if (outputs < 1 || inputs < 1) {
            throw new KernelException(
                    "linearWeight: matrix is [" + outputs + ", " + inputs + "], expected at least [1, 1]");
        }
        if (form != DType.FP32 && form != DType.BF16) {
            throw new KernelException("linearWeight: form is " + form + ", expected FP32 or BF16");
        }
        this.outputs = outputs;
        this.inputs = inputs;
        this.form = form;
    }

    @Override
    public final int outputs() {
        return outputs;
    }

    @Override
    public final int inputs() {
        return inputs;
    }

    @Override
    public final DType form() {
        return form;
    }
}
