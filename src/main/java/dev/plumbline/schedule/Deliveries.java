package dev.plumbline.schedule;

import dev.plumbline.database.Database;
import dev.plumbline.database.SecretException;
import dev.plumbline.schedule.EventTable.Waiting;
import dev.plumbline.schedule.Firings.Next;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Tells webhooks, again and again until they have heard, with longer and longer waits. Every attempt is kept. */
@Component
final class Deliveries {
    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);
    private static final int MOST = 8;
    private static final int LONGER = 4;
    private static final Duration LONGEST = Duration.ofHours(6);

    private final Database database;
    private final WebhookSender sender;
    private final Duration first;

    /** {@code first} is the wait after the first attempt. */
    Deliveries(Database database, WebhookSender sender, @Value("${plumbline.webhook-retry:10s}") Duration first) {
        this.database = database;
        this.sender = sender;
        this.first = first;
    }

    /** Makes an attempt, and says when to make the next one, if at all. */
    Optional<Next> attempt(UUID event) {
        Waiting waiting =
                database.now(client -> EventTable.waiting(client, event).orElse(null));
        if (waiting == null) {
            return Optional.empty();
        }
        WebhookSender.Attempt made = send(event, waiting);
        int attempts = waiting.attempts() + 1;
        boolean last = attempts >= MOST || waiting.url() == null;
        database.now(client -> {
            EventTable.attempted(client, event, attempts, made);
            if (made.delivered() || last) {
                EventTable.state(client, event, made.delivered() ? "delivered" : "failed");
            }
            return true;
        });
        if (made.delivered() || last) {
            return Optional.empty();
        }
        LOG.info("A webhook could not be told, attempt {} of {}: {}", attempts, MOST, made.failure());
        return Next.in(wait(attempts));
    }

    private WebhookSender.Attempt send(UUID event, Waiting waiting) {
        if (waiting.url() == null) {
            return new WebhookSender.Attempt(null, "the schedule has no webhook any more", 0);
        }
        try {
            String secret = database.secrets().open(Schedules.place(waiting.schedule()), waiting.secret());
            return sender.send(event, waiting.url(), secret, waiting.payload());
        } catch (SecretException e) {
            return new WebhookSender.Attempt(null, e.getMessage(), 0);
        }
    }

    private Duration wait(int attempts) {
        Duration wait = first.multipliedBy((long) Math.pow(LONGER, attempts - 1));
        return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }
}
