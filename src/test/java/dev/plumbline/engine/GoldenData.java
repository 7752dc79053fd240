package dev.plumbline.engine;

import dev.plumbline.model.SafetensorsFile;
import dev.plumbline.model.StoredTensor;
import java.nio.file.Path;

/** The golden data of v4-tiny: random weights, logits by an independent implementation. */
final class GoldenData {
    static final Path DIRECTORY = Path.of("src/test/resources/golden/v4-tiny");

    private GoldenData() {}

    static float[] floats(String file, String name) {
        try (SafetensorsFile tensors = SafetensorsFile.open(DIRECTORY.resolve(file))) {
            StoredTensor tensor = tensors.tensor(name);
            float[] values = new float[Math.toIntExact(tensor.elements())];
            tensor.read(0, values, 0, values.length);
            return values;
        }
    }

    static int[] ints(String file, String name) {
        try (SafetensorsFile tensors = SafetensorsFile.open(DIRECTORY.resolve(file))) {
            StoredTensor tensor = tensors.tensor(name);
            int[] values = new int[Math.toIntExact(tensor.elements())];
            tensor.read(0, values, 0, values.length);
            return values;
        }
    }
}
