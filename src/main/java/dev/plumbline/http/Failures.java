package dev.plumbline.http;

import dev.plumbline.conversation.ConversationBusyException;
import dev.plumbline.conversation.ConversationTooLongException;
import dev.plumbline.conversation.HistoryGoneException;
import dev.plumbline.database.DatabaseUnavailableException;
import dev.plumbline.database.SecretException;
import dev.plumbline.document.DocumentException;
import dev.plumbline.engine.ContextLengthException;
import dev.plumbline.engine.LaneException;
import dev.plumbline.engine.QueueFullException;
import dev.plumbline.ops.ShutdownException;
import dev.plumbline.precision.ProfileException;
import dev.plumbline.recall.compare.ComparisonRefusedException;
import dev.plumbline.recall.judge.NotComparableException;
import dev.plumbline.recall.remote.TargetException;
import dev.plumbline.recall.remote.UnknownTargetException;
import dev.plumbline.recall.run.RunRefusedException;
import dev.plumbline.recall.run.TooManyReadersException;
import dev.plumbline.recall.suite.stored.UnknownSuiteException;
import dev.plumbline.runconfig.ActivationBusyException;
import dev.plumbline.runconfig.ActivationRefusedException;
import dev.plumbline.runconfig.NotServedException;
import dev.plumbline.runconfig.RunConfigException;
import dev.plumbline.runconfig.UnknownRunConfigException;
import dev.plumbline.schedule.ScheduleException;
import dev.plumbline.security.AccountException;
import dev.plumbline.security.MissingScopeException;
import dev.plumbline.security.RateLimitedException;
import dev.plumbline.target.EngineStoppedException;
import dev.plumbline.target.InvalidPromptException;
import dev.plumbline.target.PromptTooLongException;
import dev.plumbline.target.SelectionException;
import dev.plumbline.target.SlowReaderException;
import dev.plumbline.target.TooManyChoicesException;
import dev.plumbline.target.TracesFullException;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.server.csrf.CsrfException;
import org.springframework.security.web.server.firewall.ServerExchangeRejectedException;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.ResponseStatusException;

/** Says in OpenAI's terms what went wrong. */
public final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);
    private static final int RETRY_SECONDS = 1;
    private static final int LANE_RETRY_SECONDS = 10;
    /** Codes of targets that are as they should be, but not beside what there is. */
    private static final Set<String> CONFLICTS = Set.of("target_exists", "target_in_use", "budget_mismatch");

    private Failures() {}

    /** What a client is told of any failure; what nobody foresaw is logged and becomes status 500. */
    public static ApiException translate(Throwable failure) {
        if (failure instanceof ApiException known) {
            return known;
        }
        if (failure instanceof ContextLengthException overflow) {
            return ApiException.badRequest(
                    "messages",
                    "context_length_exceeded",
                    contextLength(overflow.maxContext(), overflow.promptTokens() + " tokens"));
        }
        if (failure instanceof PromptTooLongException overflow) {
            return ApiException.badRequest(
                    "messages",
                    "context_length_exceeded",
                    contextLength(overflow.maxContext(), "at least " + overflow.leastTokens() + " tokens"));
        }
        if (failure instanceof QueueFullException) {
            return ApiException.tooManyRequests("The server is busy: " + failure.getMessage() + ".", RETRY_SECONDS);
        }
        if (failure instanceof TooManyChoicesException) {
            return ApiException.badRequest("n", "invalid_value", failure.getMessage());
        }
        if (failure instanceof SelectionException refused) {
            return ApiException.badRequest(refused.field(), "invalid_value", refused.getMessage());
        }
        if (failure instanceof TracesFullException) {
            return ApiException.tooManyRequests("The server is busy: " + failure.getMessage() + ".", RETRY_SECONDS);
        }
        if (failure instanceof InvalidPromptException) {
            return ApiException.badRequest(null, "invalid_value", failure.getMessage());
        }
        if (failure instanceof ShutdownException) {
            return ApiException.unavailable("The server is shutting down.", RETRY_SECONDS);
        }
        if (failure instanceof SlowReaderException) {
            return ApiException.invalid(
                    HttpStatus.REQUEST_TIMEOUT, null, "client_too_slow", failure.getMessage() + ".");
        }
        if (failure instanceof EngineStoppedException) {
            return ApiException.unavailable("The engine has stopped.", RETRY_SECONDS);
        }
        return ofTheHistory(failure);
    }

    private static ApiException ofTheHistory(Throwable failure) {
        if (failure instanceof DatabaseUnavailableException) {
            return ApiException.unavailable(
                    "History, keys and users are unavailable: " + failure.getMessage() + ".", RETRY_SECONDS);
        }
        if (failure instanceof SecretException) {
            return ApiException.unavailable("Secrets are unavailable: " + failure.getMessage() + ".", RETRY_SECONDS);
        }
        if (failure instanceof ConversationBusyException) {
            return ApiException.invalid(
                    HttpStatus.CONFLICT,
                    "conversation",
                    "conversation_busy",
                    "Another request is continuing this conversation; send this one again when that one has ended.");
        }
        if (failure instanceof ConversationTooLongException) {
            return ApiException.badRequest(
                    "conversation", "context_length_exceeded", "Too long: " + failure.getMessage() + ".");
        }
        if (failure instanceof HistoryGoneException) {
            return ApiException.invalid(
                    HttpStatus.NOT_FOUND,
                    null,
                    "not_found",
                    "The answer has meanwhile been deleted, or taken for abandoned.");
        }
        return ofRunConfigs(failure);
    }

    private static ApiException ofRunConfigs(Throwable failure) {
        if (failure instanceof DocumentException refused) {
            return ApiException.badRequest(refused.field(), refused.code(), refused.getMessage());
        }
        if (failure instanceof ScheduleException refused) {
            return ApiException.invalid(HttpStatus.CONFLICT, refused.field(), refused.code(), refused.getMessage());
        }
        if (failure instanceof UnknownSuiteException) {
            return ApiException.invalid(HttpStatus.NOT_FOUND, "suite", "suite_not_found", failure.getMessage());
        }
        if (failure instanceof RunConfigException refused) {
            return ApiException.badRequest(refused.field(), refused.code(), refused.getMessage());
        }
        if (failure instanceof UnknownRunConfigException) {
            return ApiException.invalid(
                    HttpStatus.NOT_FOUND, "run_config", "run_config_not_found", failure.getMessage());
        }
        if (failure instanceof ActivationBusyException) {
            return ApiException.invalid(
                    HttpStatus.CONFLICT,
                    null,
                    "activation_in_progress",
                    "Another activation is in progress or has come first; look at /api/activations and ask again.");
        }
        if (failure instanceof ActivationRefusedException refused) {
            return ApiException.invalid(HttpStatus.CONFLICT, null, refused.code(), refused.getMessage());
        }
        if (failure instanceof NotServedException) {
            return ApiException.unavailable(failure.getMessage() + ".", RETRY_SECONDS);
        }
        if (failure instanceof LaneException) {
            return ApiException.unavailable("Not served: " + failure.getMessage() + ".", LANE_RETRY_SECONDS);
        }
        if (failure instanceof ProfileException refused) {
            return ApiException.badRequest("run_config", "unsupported_value", refused.getMessage());
        }
        return ofRecall(failure);
    }

    private static ApiException ofRecall(Throwable failure) {
        if (failure instanceof TooManyReadersException) {
            return ApiException.tooManyRequests("The server is busy: " + failure.getMessage() + ".", RETRY_SECONDS);
        }
        if (failure instanceof NotComparableException differing) {
            return ApiException.invalid(
                    HttpStatus.CONFLICT, null, "not_comparable", "Not comparable: " + differing.getMessage() + ".");
        }
        if (failure instanceof ComparisonRefusedException refused) {
            return ApiException.invalid(HttpStatus.CONFLICT, null, refused.code(), refused.getMessage());
        }
        if (failure instanceof RunRefusedException refused) {
            return ApiException.invalid(
                    refused.missing() ? HttpStatus.NOT_FOUND : HttpStatus.BAD_REQUEST,
                    refused.field(),
                    refused.code(),
                    refused.getMessage());
        }
        return ofTargets(failure);
    }

    private static ApiException ofTargets(Throwable failure) {
        if (failure instanceof UnknownTargetException) {
            return ApiException.invalid(HttpStatus.NOT_FOUND, "target", "target_not_found", failure.getMessage());
        }
        if (failure instanceof TargetException refused) {
            HttpStatus status = CONFLICTS.contains(refused.code()) ? HttpStatus.CONFLICT : HttpStatus.BAD_REQUEST;
            return ApiException.invalid(status, refused.field(), refused.code(), refused.getMessage());
        }
        return ofAccounts(failure);
    }

    private static ApiException ofAccounts(Throwable failure) {
        if (failure instanceof AccountException refused) {
            return ApiException.badRequest(
                    refused.field(),
                    "invalid_value",
                    "Invalid value for '" + refused.field() + "': " + refused.getMessage());
        }
        if (failure instanceof RateLimitedException limited) {
            return ApiException.tooManyRequests(
                    "Rate limit reached: this key may send " + limited.limit() + " requests a minute.",
                    limited.retryAfterSeconds());
        }
        if (failure instanceof ServerExchangeRejectedException rejected) {
            return ApiException.badRequest(null, "invalid_url", rejected.getMessage() + ".");
        }
        return ofTheWeb(failure);
    }

    private static ApiException ofTheWeb(Throwable failure) {
        if (failure instanceof AuthenticationException) {
            return ApiException.invalid(
                    HttpStatus.UNAUTHORIZED,
                    "invalid_api_key",
                    "Missing or incorrect API key; send it as 'Authorization: Bearer KEY'.",
                    "WWW-Authenticate",
                    "Bearer");
        }
        if (failure instanceof AccessDeniedException denied) {
            return forbidden(denied);
        }
        if (failure instanceof MethodNotAllowedException wrong) {
            return methodNotAllowed(wrong);
        }
        if (failure instanceof ResponseStatusException response) {
            HttpStatus status = HttpStatus.resolve(response.getStatusCode().value());
            if (status == HttpStatus.NOT_FOUND) {
                return ApiException.invalid(status, null, "unknown_url", "Unknown request URL; docs/api.md lists all.");
            }
            if (status != null && status.is4xxClientError()) {
                return ApiException.invalid(status, null, null, status.getReasonPhrase() + ".");
            }
        }
        LOG.error("A request failed", failure);
        return ApiException.internal();
    }

    private static ApiException forbidden(AccessDeniedException denied) {
        if (denied instanceof MissingScopeException missing) {
            return ApiException.invalid(
                    HttpStatus.FORBIDDEN,
                    null,
                    "missing_scope",
                    "This needs the scope '" + missing.scope().text() + "', which the key or user lacks.");
        }
        if (denied instanceof CsrfException) {
            return ApiException.invalid(
                    HttpStatus.FORBIDDEN,
                    null,
                    "invalid_csrf_token",
                    "Missing or stale CSRF token; load the page again, or send an API key instead of a session.");
        }
        return ApiException.invalid(HttpStatus.FORBIDDEN, null, "forbidden", "This key may not do that.");
    }

    private static ApiException methodNotAllowed(MethodNotAllowedException wrong) {
        String allowed = String.join(
                ", ",
                wrong.getSupportedMethods().stream()
                        .map(Object::toString)
                        .sorted()
                        .toList());
        return ApiException.invalid(
                HttpStatus.METHOD_NOT_ALLOWED,
                "method_not_allowed",
                "Not allowed to " + wrong.getHttpMethod() + " here; allowed: " + allowed + ".",
                "Allow",
                allowed);
    }

    private static String contextLength(int maxContext, String needed) {
        return "This model's maximum context length is " + maxContext + " tokens. However, your messages resulted in "
                + needed + ", and at least one must be left for the answer. Please reduce the length of the messages.";
    }
}
