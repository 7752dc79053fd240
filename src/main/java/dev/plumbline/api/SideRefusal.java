package dev.plumbline.api;

import dev.plumbline.http.ApiException;
import dev.plumbline.recall.compare.Side;
import dev.plumbline.recall.remote.UnknownTargetException;
import dev.plumbline.runconfig.RunConfigRef;
import dev.plumbline.runconfig.UnknownRunConfigException;
import org.springframework.http.HttpStatus;

/** Says which field of a request it is that names a run config or a target that does not exist: baseline or candidate. */
record SideRefusal(Side baseline, Side candidate) {

    /** Sides that are run configs; null is what is active. */
    static SideRefusal of(RunConfigRef baseline, RunConfigRef candidate) {
        return new SideRefusal(Side.of(baseline), Side.of(candidate));
    }

    /** The same failure, with the field if it is of that kind. */
    Throwable named(Throwable failure) {
        if (failure instanceof UnknownRunConfigException unknown) {
            String field = unknown.ref().equals(baseline.runConfig()) ? "baseline" : "candidate";
            return missing(field, "run_config_not_found", unknown);
        }
        if (failure instanceof UnknownTargetException unknown) {
            String field = unknown.name().equals(baseline.target()) ? "baseline" : "candidate";
            return missing(field + ".target", "target_not_found", unknown);
        }
        return failure;
    }

    private static ApiException missing(String field, String code, RuntimeException unknown) {
        return ApiException.invalid(
                HttpStatus.NOT_FOUND, field, code, "Invalid value for '" + field + "': " + unknown.getMessage());
    }
}
