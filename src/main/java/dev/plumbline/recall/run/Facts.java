package dev.plumbline.recall.run;

import dev.plumbline.recall.CellTarget;
import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.runconfig.BuildInfo;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is kept of an open target: what it says of itself, and the program that asked it. */
final class Facts {
    private Facts() {}

    static TargetRecord of(CellTarget target) {
        TargetRecord about = target.about();
        BuildInfo build = BuildInfo.current();
        Map<String, String> facts = new LinkedHashMap<>(about.facts());
        facts.put("release", build.release());
        facts.put("commit", build.commit());
        facts.put(
                "modified files",
                build.modified() == null
                        ? "unknown"
                        : String.valueOf(build.modified().size()));
        if (build.modified() != null) {
            build.modified().forEach((path, hash) -> facts.put("modified " + path, hash));
        }
        return new TargetRecord(about.kind(), about.name(), about.model(), about.modelHash(), facts);
    }
}
