package dev.plumbline.schedule;

import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.stored.SuiteRef;
import dev.plumbline.recall.suite.stored.SuiteStore;
import dev.plumbline.runconfig.Activations;
import dev.plumbline.runconfig.RunConfigRef;
import dev.plumbline.runconfig.RunConfigs;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What a firing compares: the versions that names mean at that time. */
@Component
final class Questions {

    /**
     * Looks everything up.
     *
     * @throws dev.plumbline.recall.suite.stored.UnknownSuiteException if the suite does not exist
     * @throws dev.plumbline.runconfig.UnknownRunConfigException if a run config does not exist
     */
    Comparer.Question of(JdbcClient client, Firing firing) {
        Schedule schedule = ScheduleTable.one(client, firing.schedule()).orElseThrow();
        Suite suite = SuiteStore.require(client, SuiteRef.parse("suite", schedule.suite()))
                .suite();
        RunConfigRef candidate = schedule.candidate() == null
                ? Activations.active(client).config()
                : RunConfigs.require(client, RunConfigRef.parse("candidate", schedule.candidate()))
                        .ref();
        RunConfigRef baseline = RunConfigs.require(client, RunConfigRef.parse("baseline", schedule.baseline()))
                .ref();
        return new Comparer.Question(suite, candidate, baseline, schedule.margin(), schedule.author());
    }

    /** The same for a schedule that is to be made: refuses what does not exist. */
    void require(JdbcClient client, NewSchedule wanted) {
        SuiteStore.require(client, wanted.suite());
        RunConfigs.require(client, wanted.baseline());
        if (wanted.candidate() != null) {
            RunConfigs.require(client, wanted.candidate());
        }
    }

    /** Whether a schedule waits for this version to become active. */
    static boolean isCandidate(Schedule schedule, RunConfigRef active) {
        if (schedule.candidate() == null) {
            return true;
        }
        RunConfigRef candidate = RunConfigRef.parse("candidate", schedule.candidate());
        return candidate.name().equals(active.name())
                && (candidate.version() == null || candidate.version().equals(active.version()));
    }
}
