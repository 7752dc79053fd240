package dev.plumbline.runconfig;

import dev.plumbline.conversation.Page;
import dev.plumbline.conversation.PageRequest;
import dev.plumbline.database.Database;
import dev.plumbline.engine.LaneFacts;
import dev.plumbline.target.NativeTarget;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Makes run configs active, here first and then on every server of the database; and tells what became of it. */
@Component
public final class Activations {
    private static final Logger LOG = LoggerFactory.getLogger(Activations.class);

    private final Database database;
    private final Serving serving;
    private final Follower follower;
    private final Pins pins;

    Activations(Database database, Serving serving, Follower follower, Pins pins) {
        this.database = database;
        this.serving = serving;
        this.follower = follower;
        this.pins = pins;
    }

    /**
     * An activation with what every server made of it.
     *
     * @param activation the activation
     * @param instances the servers that have said something, the first first
     */
    public record Whole(Activation activation, List<InstanceResult> instances) {}

    private record Begun(UUID id, RunConfig config, ActiveConfig before) {}

    /**
     * Makes a version active: builds its lane here beside the running one, tests it, and moves every server. Whoever
     * stops waiting does not stop it.
     *
     * @param patience how long to wait for its end; what is known then is the answer
     * @return fails with {@link UnknownRunConfigException}, {@link ActivationBusyException},
     *     {@link ActivationRefusedException}, {@link dev.plumbline.precision.ProfileException} and
     *     {@link dev.plumbline.engine.LaneException}; nothing has changed then
     */
    public Mono<Whole> activate(
            NativeTarget target, RunConfigRef ref, String reason, String author, Duration patience) {
        return run(target, patience, client -> {
            RunConfig config = RunConfigs.require(client, ref);
            UUID id = UUID.randomUUID();
            return begin(client, id, Activation.Kind.ACTIVATE, config, id, reason, author);
        });
    }

    /** The same with what was active before the last activation that is not undone yet. */
    public Mono<Whole> rollback(NativeTarget target, String reason, String author, Duration patience) {
        return run(target, patience, client -> {
            UUID undone = ActivationTable.lockActive(client).undoable();
            if (undone == null) {
                throw new ActivationRefusedException(
                        "nothing_to_roll_back", "Every activation is undone already; there is nothing to go back to.");
            }
            ActivationTable.RollbackTarget to = ActivationTable.before(client, undone);
            RunConfig config = RunConfigTable.one(client, to.config()).orElseThrow();
            return begin(client, UUID.randomUUID(), Activation.Kind.ROLLBACK, config, to.undoable(), reason, author);
        });
    }

    private Begun begin(
            JdbcClient client,
            UUID id,
            Activation.Kind kind,
            RunConfig config,
            UUID undoable,
            String reason,
            String author) {
        ActivationTable.sweep(client);
        ActiveConfig before = ActivationTable.lockActive(client);
        Activation activation = new Activation(
                id,
                kind,
                before.config().ref(),
                config.ref(),
                reason,
                author,
                follower.instance(),
                Activation.Status.IN_PROGRESS,
                null,
                null,
                null);
        ActivationTable.begin(client, activation, before, undoable);
        return new Begun(id, config, before);
    }

    private Mono<Whole> run(NativeTarget target, Duration patience, Function<JdbcClient, Begun> begin) {
        if (pins.config() != null) {
            return Mono.error(new ActivationRefusedException(
                    "instance_pinned",
                    "This server was started with a run config of its own and follows no activation; ask a server that"
                            + " was not."));
        }
        return database.transaction(begin)
                .flatMap(begun -> Mono.fromFuture(follower.between(() -> perform(target, begun)), true)
                        .timeout(patience, Mono.just(begun.id())))
                .flatMap(this::one);
    }

    private UUID perform(NativeTarget target, Begun begun) {
        long start = System.nanoTime();
        try {
            Served next = Served.active(
                    new ActiveConfig(begun.config(), begun.id(), null),
                    pins,
                    target.status().config());
            LaneFacts facts = LaneSwitch.to(target, next.lane(), () -> touch(begun.id()));
            String proof = Proof.of(target, next, facts);
            database.now(client -> {
                ActivationTable.complete(
                        client, begun.id(), begun.config().ref(), begun.before().activation());
                return true;
            });
            serving.serve(next);
            LOG.info("The run config {} is active and served", next.lane().label());
            follower.record(begun.id(), follower.serving(proof, Follower.millis(start)));
            return begun.id();
        } catch (RuntimeException e) {
            fail(begun.id(), e);
            back(target);
            throw e;
        }
    }

    private void touch(UUID id) {
        try {
            database.now(client -> {
                ActivationTable.touch(client, id);
                return true;
            });
        } catch (RuntimeException e) {
            LOG.debug("An activation could not be touched", e);
        }
    }

    private void fail(UUID id, RuntimeException reason) {
        String words = reason.getMessage() == null ? reason.toString() : reason.getMessage();
        try {
            database.now(client -> {
                ActivationTable.fail(client, id, words);
                return true;
            });
        } catch (RuntimeException e) {
            // It is found by the time it was last touched.
            LOG.warn("A failed activation could not be stored: {}", e.getMessage());
        }
    }

    /** The engine's own lane is again what is served; no answer depends on it. */
    private void back(NativeTarget target) {
        serving.served()
                .filter(served -> !served.lane().equals(target.active()))
                .ifPresent(served -> target.engine().activate(served.lane()));
    }

    /**
     * What is active in a database.
     *
     * @param activation what made it so; null for what the database was made with
     * @param config the version
     */
    public record Active(UUID activation, RunConfigRef config) {}

    /** What is active, within a transaction. */
    public static Active active(JdbcClient client) {
        ActiveConfig active = ActivationTable.active(client);
        return new Active(active.activation(), active.config().ref());
    }

    /** What is active in the database. */
    public Mono<RunConfigRef> active() {
        return database.transaction(
                client -> ActivationTable.active(client).config().ref());
    }

    /** One activation. */
    public Mono<Whole> one(UUID id) {
        return database.transaction(client -> ActivationTable.one(client, id)
                .map(found -> new Whole(found, ActivationTable.instances(client, id)))
                .orElse(null));
    }

    /** A part of all activations; empty if none has the id that it comes after. */
    public Mono<Page<Activation>> page(PageRequest page) {
        return database.transaction(client -> ActivationTable.page(client, page)
                .map(found -> Page.cut(found, page.limit()))
                .orElse(null));
    }
}
