package dev.plumbline.engine;

import dev.plumbline.model.SafetensorsFile;
import dev.plumbline.model.StoredTensor;
import java.nio.file.Path;

/** The golden data of v4-tiny: random weights, logits by an independent implementation. */
final class GoldenData {
    static final Path DIRECTORY = Path.of("src/test/resources/golden/v4-tiny");

    /** The same for a model whose every dimension is unusual, in transformers' spelling and names. */
    static final Path ODD = Path.of("src/test/resources/golden/v4-odd");

    private GoldenData() {}

    static float[] floats(String file, String name) {
        return floats(DIRECTORY.resolve(file), name);
    }

    static float[] floats(Path file, String name) {
        try (SafetensorsFile tensors = SafetensorsFile.open(file)) {
            StoredTensor tensor = tensors.tensor(name);
            float[] values = new float[Math.toIntExact(tensor.elements())];
            tensor.read(0, values, 0, values.length);
            return values;
        }
    }

    static int[] ints(String file, String name) {
        return ints(DIRECTORY.resolve(file), name);
    }

    static int[] ints(Path file, String name) {
        try (SafetensorsFile tensors = SafetensorsFile.open(file)) {
            StoredTensor tensor = tensors.tensor(name);
            int[] values = new int[Math.toIntExact(tensor.elements())];
            tensor.read(0, values, 0, values.length);
            return values;
        }
    }
}
