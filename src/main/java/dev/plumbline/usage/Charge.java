package dev.plumbline.usage;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What one request uses; counted once, whoever comes first: its answer's commit or its end. */
public final class Charge {
    private enum State {
        OPEN,
        SETTLING,
        SETTLED
    }

    private final UsageLedger ledger;
    private final Account account;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private final AtomicInteger promptTokens = new AtomicInteger();
    private final AtomicInteger completionTokens = new AtomicInteger();
    private final AtomicInteger errors = new AtomicInteger();

    Charge(UsageLedger ledger, Account account) {
        this.ledger = ledger;
        this.account = account;
    }

    /** The prompt has been taken in. */
    public void prompt(int tokens) {
        promptTokens.set(tokens);
    }

    /** A token has been generated. */
    public void token() {
        completionTokens.incrementAndGet();
    }

    /** The request has failed. */
    public void failed() {
        errors.set(1);
    }

    /** Runs a transaction, which must call what it is given, so that answer and usage are stored together. */
    public void settle(Consumer<Consumer<JdbcClient>> transaction) {
        boolean first = state.compareAndSet(State.OPEN, State.SETTLING);
        Usage usage = usage();
        try {
            transaction.accept(client -> {
                if (first) {
                    UsageTable.add(client, account, usage);
                }
            });
        } catch (RuntimeException e) {
            if (first) {
                state.set(State.OPEN);
                failed();
                end();
            }
            throw e;
        }
        if (first) {
            state.set(State.SETTLED);
        }
    }

    /** The request has ended, in whatever way; idempotent. */
    public void end() {
        if (state.compareAndSet(State.OPEN, State.SETTLED)) {
            ledger.add(account, usage());
        }
    }

    private Usage usage() {
        return new Usage(1, errors.get(), promptTokens.get(), completionTokens.get());
    }
}
