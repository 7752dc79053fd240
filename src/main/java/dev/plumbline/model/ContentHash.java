package dev.plumbline.model;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;

/** SHA-256 over what a checkpoint means: its configuration and its tensors under their original names. */
final class ContentHash {
    private ContentHash() {}

    /** Independent of spelling, naming style, sharding and order within the files; reads every byte. */
    static String of(ModelConfig config, Collection<MappedTensor> tensors) {
        MessageDigest digest = sha256();
        line(digest, config.toString());
        for (MappedTensor tensor : tensors) {
            line(digest, tensor.name() + " " + tensor.type() + " " + Arrays.toString(tensor.shape()));
            for (long done = 0; done < tensor.elements(); ) {
                ByteBuffer bytes = tensor.bytes(done);
                done += bytes.remaining() / tensor.type().bytes();
                digest.update(bytes);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void line(MessageDigest digest, String text) {
        digest.update((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
