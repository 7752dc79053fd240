package dev.plumbline.schedule;

import dev.plumbline.document.DocumentException;
import dev.plumbline.document.DocumentFields;
import dev.plumbline.recall.suite.stored.SuiteRef;
import dev.plumbline.runconfig.RunConfigRef;
import java.util.Map;

/**
 * What somebody wants a schedule to be.
 *
 * @param name unique
 * @param suite what is asked; the latest version unless it names one
 * @param candidate what is judged; null stands for what is active
 * @param baseline a version
 * @param margin the loss that is accepted; null for the usual one
 * @param times when; null for none
 * @param zone of the times
 * @param onActivation whether to compare when the candidate becomes active
 * @param enabled whether anything happens by itself
 * @param webhook where changes of the verdict go; null for nowhere
 */
public record NewSchedule(
        String name,
        SuiteRef suite,
        RunConfigRef candidate,
        RunConfigRef baseline,
        Double margin,
        String times,
        String zone,
        boolean onActivation,
        boolean enabled,
        Webhook webhook) {
    private static final double LEAST_MARGIN = 0.001;
    private static final double MOST_MARGIN = 0.5;
    private static final int LONGEST_NAME = 100;
    private static final int LONGEST_REFERENCE = 100;
    private static final int LONGEST_URL = 2000;
    private static final int SHORTEST_SECRET = 16;
    private static final int LONGEST_SECRET = 200;

    /**
     * Reads a document.
     *
     * @throws DocumentException naming the field, its value and what is allowed
     * @throws dev.plumbline.runconfig.RunConfigException for fields that name run configs
     */
    public static NewSchedule of(Map<?, ?> document) {
        DocumentFields fields = new DocumentFields(document, "");
        String name = required(fields.text("name", LONGEST_NAME), "name");
        String suite = required(fields.text("suite", LONGEST_REFERENCE), "suite");
        String candidate = fields.text("candidate", LONGEST_REFERENCE);
        String baseline = required(fields.text("baseline", LONGEST_REFERENCE), "baseline");
        Double margin = fields.number("margin", LEAST_MARGIN, MOST_MARGIN);
        String cron = fields.text("cron", LONGEST_REFERENCE);
        String zone = fields.text("zone", LONGEST_REFERENCE);
        Boolean onActivation = fields.flag("on_activation");
        Boolean enabled = fields.flag("enabled");
        boolean told = document.get("webhook") != null;
        Map<?, ?> webhook = fields.object("webhook");
        fields.rejectUnread();
        if (name.isBlank() || name.contains("\n")) {
            throw fields.refused("name", "one line that is not blank");
        }
        String clock = zone == null ? "UTC" : CronTimes.zone(zone).getId();
        if (cron == null && !Boolean.TRUE.equals(onActivation)) {
            throw new DocumentException(
                    "cron",
                    "missing_required_parameter",
                    "Neither 'cron' nor 'on_activation' is given; allowed: 'cron' (" + CronTimes.ALLOWED
                            + "), 'on_activation': true, or both.");
        }
        return new NewSchedule(
                name,
                SuiteRef.parse("suite", suite),
                candidate == null ? null : RunConfigRef.parse("candidate", candidate),
                pinned(baseline),
                margin,
                cron == null ? null : CronTimes.parse(cron, clock).cron(),
                clock,
                Boolean.TRUE.equals(onActivation),
                !Boolean.FALSE.equals(enabled),
                told ? webhook(webhook) : null);
    }

    private static RunConfigRef pinned(String text) {
        RunConfigRef ref = RunConfigRef.parse("baseline", text);
        if (ref.version() == null) {
            throw new DocumentException(
                    "baseline",
                    "Invalid value for 'baseline': '" + text
                            + "'; allowed: NAME@VERSION, since what others are compared" + " with must not change.");
        }
        return ref;
    }

    private static Webhook webhook(Map<?, ?> object) {
        DocumentFields fields = new DocumentFields(object, "webhook");
        String url = required(fields.text("url", LONGEST_URL), "webhook.url");
        String secret = fields.text("secret", LONGEST_SECRET);
        fields.rejectUnread();
        if (secret != null && (secret.length() < SHORTEST_SECRET || secret.contains("\n"))) {
            throw new DocumentException(
                    "webhook.secret",
                    "Invalid value for 'webhook.secret': allowed: one line of " + SHORTEST_SECRET + " to "
                            + LONGEST_SECRET + " characters.");
        }
        return new Webhook(WebhookUrl.parse("webhook.url", url).toString(), secret);
    }

    private static String required(String value, String path) {
        if (value == null) {
            throw new DocumentException(
                    path, "missing_required_parameter", "Missing required parameter: '" + path + "'.");
        }
        return value;
    }
}
