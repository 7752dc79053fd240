package dev.plumbline.gpucheck;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs test classes and counts; every failure goes to a file. */
final class Kits {
    private final CheckReport report;
    private final Path log;

    Kits(CheckReport report, Path folder) {
        this.report = report;
        this.log = folder.resolve("failed-tests.txt");
    }

    void run(String name, Class<?> tests) throws IOException {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(tests))
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        for (TestExecutionSummary.Failure failure : summary.getFailures()) {
            report.say("failed: " + failure.getTestIdentifier().getDisplayName() + ": "
                    + firstLine(failure.getException()));
        }
        try (PrintWriter writer =
                new PrintWriter(Files.newBufferedWriter(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND))) {
            for (TestExecutionSummary.Failure failure : summary.getFailures()) {
                writer.println("== " + failure.getTestIdentifier().getUniqueId());
                failure.getException().printStackTrace(writer);
            }
        }
        report.tell(name + ".tests", summary.getTestsSucceededCount(), "passed");
        report.tell(name + ".skipped", summary.getTestsAbortedCount() + summary.getTestsSkippedCount(), "skipped");
        report.row(
                name + ".failed",
                summary.getTestsFailedCount(),
                "failed",
                "0 of at least 1",
                summary.getTestsFailedCount() == 0 && summary.getTestsSucceededCount() > 0);
    }

    private static String firstLine(Throwable failure) {
        String text = String.valueOf(failure).strip().replaceAll("\\s+", " ");
        return text.substring(0, Math.min(300, text.length()));
    }
}
