package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.ProfileException;

/** Asked before a lane is built: what cannot be honoured is refused, never replaced. */
final class ProfileCheck {
    private ProfileCheck() {}

    /**
     * @throws ProfileException naming the flag, the reason and the allowed values
     */
    static void require(PrecisionProfile profile, Kernels kernels) {
        kernels.refusal(profile).ifPresent(reason -> {
            throw new ProfileException(reason.substring(0, reason.indexOf(' ')), reason);
        });
        if (profile.prefixCache()) {
            throw new ProfileException(
                    Flag.PREFIX_CACHE.key(), "prefix_cache is on, which the engine has no cache for; allowed: off");
        }
    }
}
