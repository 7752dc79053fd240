package dev.plumbline.http;

import dev.plumbline.ops.Drain;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetSlot;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** The model that requests may name, once it is loaded and as long as the server takes requests. */
@Component
public final class ServedModel {
    private static final int LOADING_SECONDS = 2;

    private final TargetSlot slot;
    private final Drain drain;

    ServedModel(TargetSlot slot, Drain drain) {
        this.slot = slot;
        this.drain = drain;
    }

    /** The model, or a refusal of status 503 while it loads or the server shuts down. */
    public NativeTarget loaded() {
        drain.requireOpen();
        return slot.target().orElseThrow(() -> ApiException.unavailable("The model is loading.", LOADING_SECONDS));
    }

    /** Whatever is there, to look at. */
    public Optional<NativeTarget> ifLoaded() {
        return slot.target();
    }

    /** The model of this name, or a refusal of status 404. */
    public NativeTarget named(String model) {
        NativeTarget target = loaded();
        if (!target.name().equals(model)) {
            throw ApiException.invalid(
                    HttpStatus.NOT_FOUND,
                    "model",
                    "model_not_found",
                    "The model '" + Refusal.shorten(model) + "' does not exist; this server has '" + target.name()
                            + "'.");
        }
        return target;
    }
}
