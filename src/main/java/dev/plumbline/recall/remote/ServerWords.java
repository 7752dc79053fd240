package dev.plumbline.recall.remote;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.timeout.ReadTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import reactor.netty.http.client.PrematureCloseException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Says what a server did, without its key and without where it is: who may read runs need not know that.
 *
 * @param key null for none
 * @param host name or address of the server
 */
record ServerWords(String key, String host, Patience patience, TargetNetworks networks) {
    private static final int SHOWN = 300;

    /** What a server sent, short, in one line, as it may be shown and stored. */
    String quoted(String text) {
        String without = key == null || key.isEmpty() ? text : text.replace(key, "[key]");
        String line = nowhere(without)
                .replaceAll("[\\p{Cc}\\p{Cs}\\uFFFE\\uFFFF\\s]+", " ")
                .strip();
        int end = Math.min(line.length(), SHOWN);
        if (end < line.length() && Character.isHighSurrogate(line.charAt(end - 1))) {
            end--;
        }
        return end < line.length() ? line.substring(0, end) + "…" : line;
    }

    /** Exceptions write a host with its address and its port behind it. */
    private String nowhere(String text) {
        return Pattern.compile(
                        "(?<![\\w.-])" + Pattern.quote(host) + "(/[0-9a-f.:]+|:[0-9]+)*(?![\\w-])",
                        Pattern.CASE_INSENSITIVE)
                .matcher(text)
                .replaceAll("[host]");
    }

    /** What the body of a refusal says. */
    String refusal(String body) {
        try {
            JsonNode json = JsonMapper.shared().readTree(body);
            for (String pointer : new String[] {"/error/message", "/message", "/detail", "/error"}) {
                JsonNode found = json.at(pointer);
                if (found.isString() && !found.stringValue().isBlank()) {
                    return quoted(found.stringValue());
                }
            }
        } catch (JacksonException e) {
            // Then it is text.
            return quoted(body);
        }
        return quoted(body);
    }

    /** What an exception of a request means. */
    ServerFailure failure(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof ServerFailure known) {
                return known;
            }
            String known = words(cause);
            if (known != null) {
                return ServerFailure.lasting(known);
            }
        }
        String said = thrown.getMessage() == null ? "" : ": " + quoted(thrown.getMessage());
        return ServerFailure.lasting("the request failed (" + thrown.getClass().getSimpleName() + said + ")");
    }

    private String words(Throwable cause) {
        if (cause instanceof ConnectTimeoutException) {
            return "it took no connection within " + patience.connectSeconds() + " s";
        }
        if (cause instanceof NoRouteToHostException) {
            return "there is no route to it";
        }
        if (cause instanceof ConnectException) {
            return "it refused the connection";
        }
        if (cause instanceof UnknownHostException) {
            return "its name has no address, or none that PLUMBLINE_TARGETS=" + networks.text() + " allows";
        }
        if (cause instanceof ReadTimeoutException) {
            return "it sent nothing for " + patience.silenceSeconds() + " s";
        }
        if (cause instanceof TimeoutException) {
            return "it gave no whole answer within " + patience.answerSeconds() + " s";
        }
        if (cause instanceof SSLException) {
            return "TLS failed: " + quoted(String.valueOf(cause.getMessage()));
        }
        if (cause instanceof PrematureCloseException) {
            return "it closed the connection before its answer was complete";
        }
        if (cause instanceof JacksonException && !(cause.getCause() instanceof IOException)) {
            return "it sent what is no JSON";
        }
        return cause instanceof IOException && cause.getCause() == null
                ? "the connection broke: " + quoted(String.valueOf(cause.getMessage()))
                : null;
    }
}
