package dev.plumbline.runconfig;

import dev.plumbline.database.Database;
import dev.plumbline.database.DatabaseUnavailableException;
import dev.plumbline.engine.LaneException;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.ProfileException;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetLoader;
import dev.plumbline.target.TargetOptions;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/** Loads a model with the run config that this server is to serve, so that no other lane is built first. */
@Component
public final class Startup {
    private final Database database;
    private final Serving serving;
    private final Pins pins;

    Startup(Database database, Serving serving, Pins pins) {
        this.database = database;
        this.serving = serving;
        this.pins = pins;
    }

    /**
     * Loads; takes seconds. What is active in the database and cannot be served here is no reason not to start: requests
     * that name a run config are served, others are refused with the reason.
     *
     * @throws RunConfigException if the run config that the server was started with cannot be had
     * @throws ProfileException if the flags that the server was started with cannot be honoured
     * @throws dev.plumbline.target.TargetException if an option cannot be honoured
     * @throws dev.plumbline.model.InvalidModelException if the model's files are wrong
     */
    public NativeTarget load(TargetLoader loader, TargetOptions options) {
        if (pins.config() != null) {
            return load(loader, options, pinned(pins.config()));
        }
        ActiveConfig active;
        try {
            active = database.now(ActivationTable::active);
        } catch (DatabaseUnavailableException e) {
            serving.refuse("It is not known which run config is active: " + e.getMessage());
            return loader.load(options);
        }
        try {
            return load(loader, options, model -> Served.active(active, pins, model));
        } catch (ProfileException | LaneException e) {
            NativeTarget target = loader.load(options);
            serving.refuse("The run config " + active.config().id() + " is active, but this server cannot serve it: "
                    + e.getMessage());
            return target;
        }
    }

    private NativeTarget load(TargetLoader loader, TargetOptions options, Function<ModelConfig, Served> wanted) {
        AtomicReference<Served> served = new AtomicReference<>();
        NativeTarget target = loader.load(options, config -> {
            served.set(wanted.apply(config));
            return served.get().lane();
        });
        serving.serve(served.get());
        return target;
    }

    private Function<ModelConfig, Served> pinned(PinnedConfig pinned) {
        if (pinned.file() != null) {
            return model -> Served.of(
                    pinned.fileId(),
                    pinned.file().profile(),
                    pinned.file().sampling(),
                    pinned.source(),
                    null,
                    pins,
                    model);
        }
        RunConfig config = stored(pinned.ref());
        return model -> Served.of(config.id(), config.profile(), config.sampling(), pinned.source(), null, pins, model);
    }

    private RunConfig stored(RunConfigRef ref) {
        try {
            return database.now(client -> RunConfigs.require(client, ref));
        } catch (UnknownRunConfigException e) {
            throw new RunConfigException(null, e.getMessage());
        } catch (DatabaseUnavailableException e) {
            throw new RunConfigException(
                    null,
                    "The run config " + ref + " cannot be read: " + e.getMessage()
                            + "; a file of it needs no database.");
        }
    }
}
