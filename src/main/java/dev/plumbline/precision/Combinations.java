package dev.plumbline.precision;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Which values make no sense together. */
final class Combinations {
    private Combinations() {}

    /**
     * @throws ProfileException naming each flag that must change, why, and what it may be
     */
    static void check(Map<Flag, String> flags) {
        List<ProfileException.Fault> faults = new ArrayList<>();
        if (flags.get(Flag.NUMERICS).equals("qat")) {
            String twice = "numerics qat has rounded these values already, and rounding twice is neither arithmetic";
            require(flags, Flag.INDEX_KEY_DTYPE, List.of("fp32", "bf16"), twice, faults);
            require(
                    flags,
                    Flag.INDEX_ROTATION,
                    List.of("hadamard"),
                    "numerics qat rotates index queries and keys before it rounds them",
                    faults);
            require(flags, Flag.KV_DTYPE, List.of("fp32", "bf16"), twice, faults);
        }
        if (!faults.isEmpty()) {
            throw new ProfileException(faults);
        }
    }

    private static void require(
            Map<Flag, String> flags,
            Flag flag,
            List<String> allowed,
            String reason,
            List<ProfileException.Fault> faults) {
        String value = flags.get(flag);
        if (!allowed.contains(value)) {
            faults.add(new ProfileException.Fault(
                    flag.key(),
                    flag.key() + " is " + value + ", but " + reason + "; allowed with it: "
                            + String.join(", ", allowed)));
        }
    }
}
