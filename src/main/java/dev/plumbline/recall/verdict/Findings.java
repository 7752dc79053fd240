package dev.plumbline.recall.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tests every stratum of a family. */
final class Findings {
    private Findings() {}

    static List<StratumFinding> of(List<StratumPairs> strata, Map<String, NoiseFloor> noise) {
        List<PairedCounts> counts = strata.stream().map(StratumPairs::counts).toList();
        double[] adjusted = BenjaminiHochberg.adjusted(
                counts.stream().mapToDouble(McNemar::oneSided).toArray());
        List<StratumFinding> findings = new ArrayList<>();
        for (int i = 0; i < strata.size(); i++) {
            StratumPairs stratum = strata.get(i);
            NoiseFloor floor = noise.get(stratum.name());
            if (floor == null) {
                throw new IllegalArgumentException("stratum " + stratum.name() + " has no noise floor");
            }
            findings.add(finding(stratum, counts.get(i), floor, adjusted[i], strata.size()));
        }
        return List.copyOf(findings);
    }

    private static StratumFinding finding(
            StratumPairs stratum, PairedCounts counts, NoiseFloor floor, double adjusted, int family) {
        LeftOut out = stratum.leftOut();
        int[] net = stratum.netLossByHaystack();
        return new StratumFinding(
                stratum.name(),
                stratum.pairs().size(),
                counts,
                out,
                floor,
                LossInterval.of(counts),
                LossInterval.of(counts.plusLost(out.mayBeLost())).high(),
                new StratumTests(
                        McNemar.oneSided(counts),
                        adjusted,
                        SignFlip.oneSided(net),
                        McNemar.twoSided(counts),
                        McNemar.midP(counts),
                        net.length,
                        family));
    }
}
