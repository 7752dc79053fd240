package dev.plumbline.schedule;

import dev.plumbline.document.DocumentException;
import dev.plumbline.document.Words;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufMono;
import reactor.netty.http.client.HttpClient;

/** Sends events. Redirects are not followed: they would lead past what was checked. */
@Component
final class WebhookSender {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookSender.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int CONNECT_MILLIS = 5000;
    private static final int LONGEST_FAILURE = 300;
    private static final int REDIRECTS = 3;
    private static final int SUCCESS = 2;
    private static final int HUNDRED = 100;

    private final Networks networks;
    private final HttpClient http;

    /** {@code networks} are allowed beside public ones. */
    WebhookSender(@Value("${plumbline.webhook-networks:}") String networks) {
        this.networks = new Networks(networks);
        this.http = HttpClient.newConnection()
                .resolver(new GuardedResolver(this.networks))
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .followRedirect(false)
                .responseTimeout(PATIENCE);
    }

    /**
     * Looks where an address leads now; one that leads nowhere may do so later, and every attempt looks again.
     *
     * @throws DocumentException if it leads only where events must not be sent
     */
    void require(String field, URI url) {
        try {
            InetAddress[] found = InetAddress.getAllByName(url.getHost());
            if (Stream.of(found).noneMatch(networks::allows)) {
                throw new DocumentException(
                        field,
                        "Invalid value for '" + field + "': '" + Words.shown(url.toString()) + "': "
                                + ForbiddenAddressException.WORDS + ".");
            }
        } catch (UnknownHostException e) {
            LOG.debug("The host of a webhook is not known", e);
        }
    }

    /**
     * What became of an attempt.
     *
     * @param status of HTTP; null if there was no answer
     * @param failure why it does not count; null if it was delivered
     * @param millis how long it took
     */
    record Attempt(Integer status, String failure, long millis) {
        boolean delivered() {
            return failure == null;
        }
    }

    /** Sends an event and waits for the answer, of which only the status is read. */
    Attempt send(UUID event, String url, String secret, String body) {
        Instant now = Instant.now();
        long begun = System.nanoTime();
        Integer status = null;
        String failure;
        try {
            status = http.headers(headers -> headers.set(HttpHeaderNames.CONTENT_TYPE, "application/json")
                            .set(HttpHeaderNames.USER_AGENT, "Plumbline")
                            .set("X-Plumbline-Event", event.toString())
                            .set("X-Plumbline-Timestamp", now.getEpochSecond())
                            .set("X-Plumbline-Signature", Signature.of(secret, now, body)))
                    .post()
                    .uri(url)
                    .send(ByteBufMono.fromString(Mono.just(body), StandardCharsets.UTF_8, ByteBufAllocator.DEFAULT))
                    .response((response, content) -> Mono.just(response.status().code()))
                    .single()
                    .block(PATIENCE.multipliedBy(2));
            failure = failure(status);
        } catch (RuntimeException e) {
            failure = words(e);
        }
        return new Attempt(status, failure, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
    }

    private static String failure(int status) {
        if (status / HUNDRED == SUCCESS) {
            return null;
        }
        return status / HUNDRED == REDIRECTS
                ? "the answer was a redirect, which is not followed"
                : "the answer was not one of 200 to 299";
    }

    private static String words(Throwable failure) {
        Throwable cause = failure;
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof ForbiddenAddressException) {
                return ForbiddenAddressException.WORDS;
            }
            cause = at;
        }
        String words = cause.getMessage();
        String shown = words == null ? cause.getClass().getSimpleName() : words;
        return shown.substring(0, Math.min(shown.length(), LONGEST_FAILURE)).replaceAll("\\p{Cntrl}", " ");
    }
}
