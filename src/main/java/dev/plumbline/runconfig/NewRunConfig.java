package dev.plumbline.runconfig;

import dev.plumbline.document.DocumentException;
import dev.plumbline.document.DocumentFields;
import dev.plumbline.document.Words;
import dev.plumbline.precision.ProfileException;
import java.util.Map;

/**
 * What somebody wants a version of a run config to be.
 *
 * @param name its name
 * @param description what it is for; may be empty
 * @param profile the flags it sets
 * @param sampling what requests get that leave it out
 */
public record NewRunConfig(String name, String description, ConfigProfile profile, SamplingDefaults sampling) {
    static final int LONGEST_DESCRIPTION = 2000;

    /**
     * Reads a document: the fields of an object as strings, numbers, booleans, maps and lists.
     *
     * @throws RunConfigException naming the field, its value and what is allowed
     */
    public static NewRunConfig of(Map<?, ?> document) {
        try {
            return read(document);
        } catch (DocumentException e) {
            throw RunConfigException.of(e);
        }
    }

    private static NewRunConfig read(Map<?, ?> document) {
        DocumentFields fields = new DocumentFields(document, "");
        String name = fields.text("name", 63);
        if (name == null) {
            throw new RunConfigException("name", "missing_required_parameter", "Missing required parameter: 'name'.");
        }
        if (!RunConfigRef.isName(name)) {
            throw new RunConfigException(
                    "name",
                    "Invalid value for 'name': '" + Words.shown(name) + "'; allowed: " + RunConfigRef.NAME_ALLOWED
                            + ".");
        }
        String description = fields.text("description", LONGEST_DESCRIPTION);
        Map<?, ?> profile = fields.object("profile");
        Map<?, ?> sampling = fields.object("sampling");
        fields.rejectUnread();
        return new NewRunConfig(
                name,
                description == null ? "" : description,
                profile(profile),
                SamplingDefaults.of(new DocumentFields(sampling, "sampling")));
    }

    private static ConfigProfile profile(Map<?, ?> raw) {
        try {
            ConfigProfile profile = ConfigProfile.parse(raw);
            // What cannot go together is refused now; what a model or a backend cannot do, when it is used.
            Effective.of(1, Map.of(Origin.RUN_CONFIG, profile));
            return profile;
        } catch (ProfileException e) {
            throw new RunConfigException("profile." + e.field(), e.getMessage());
        }
    }

    /** Whether a stored version says the same. */
    boolean sameAs(RunConfig stored) {
        return description.equals(stored.description())
                && profile.equals(stored.profile())
                && sampling.equals(stored.sampling());
    }
}
