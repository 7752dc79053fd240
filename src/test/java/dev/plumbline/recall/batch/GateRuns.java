package dev.plumbline.recall.batch;

import dev.plumbline.engine.LaneKey;
import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.recall.judge.FreshRuns;
import dev.plumbline.recall.judge.Judge;
import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.verdict.VerdictRule;
import dev.plumbline.runconfig.BuiltInRunConfigs;
import dev.plumbline.runconfig.ConfigProfile;
import dev.plumbline.runconfig.RunConfigRef;
import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetLoader;
import dev.plumbline.target.TargetOptions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** One loaded model and every run made on it, so that verdicts about the same config share its cells. */
final class GateRuns implements AutoCloseable {
    private static final int PARALLEL = 8;
    private static final Judge JUDGE = new Judge(VerdictRule.STANDARD);

    private final NativeTarget target;
    private final SuiteRunner runner;
    private final Map<String, RunRecord> made = new HashMap<>();

    GateRuns(String model, int maxContext) {
        TargetOptions options = new TargetOptions(model, "cpu", 2, maxContext, PARALLEL, 64, PartialProfile.empty());
        this.target = new TargetLoader(ModelLocator.standard(), notice -> {}).load(options);
        this.runner = new SuiteRunner(target, PARALLEL, (lane, record) -> {});
    }

    /** What the gate says, asking only what was not asked yet. */
    Judgement judge(Suite suite, List<Long> seeds, String baseline, String candidate) {
        RunRecord first = run(suite, seeds, baseline, "");
        RunRecord again = run(suite, seeds, baseline, " again");
        RunRecord second = run(suite, seeds, candidate, candidate.equals(baseline) ? " as candidate" : "");
        return JUDGE.judge(
                first,
                second,
                again,
                (part, fresh) -> new FreshRuns(run(part, fresh, baseline, ""), run(part, fresh, candidate, "")));
    }

    /** The run of a config that comes with the program, or of flags; on a lane of its own for each {@code purpose}. */
    RunRecord run(Suite suite, List<Long> seeds, String config, String purpose) {
        return made.computeIfAbsent(suite.hash() + seeds + config + purpose, key -> {
            try {
                return runner.run(suite, seeds, lane(config, purpose), config);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private LaneKey lane(String config, String purpose) {
        ConfigProfile profile = config.contains("=")
                ? ConfigProfile.parse(Arrays.stream(config.split(","))
                        .map(flag -> flag.split("="))
                        .collect(Collectors.toMap(flag -> flag[0], flag -> flag[1])))
                : BuiltInRunConfigs.find(new RunConfigRef(config, null))
                        .orElseThrow()
                        .profile();
        int topk = target.status().config().indexTopk();
        PrecisionProfile flags = PrecisionProfile.baseline(topk)
                .with(PartialProfile.of(Flag.PREFIX_CACHE, "on"))
                .with(profile.at(topk));
        return new LaneKey(config + purpose, flags);
    }

    /** What the kernels run on. */
    String device() {
        return target.status().description();
    }

    @Override
    public void close() {
        runner.close();
        target.close();
    }
}
