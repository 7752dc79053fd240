package dev.plumbline.api;

import java.util.List;
import java.util.stream.Collectors;

/** The routes of this room, with handlers that nobody calls. */
public final class ApiRoutes {
    private ApiRoutes() {}

    /** Every route as Spring writes it: method and path. */
    public static String text() {
        return List.of(
                        new AccountRoutes().accountPaths(new KeysHandler(null, null), new UsersHandler(null, null)),
                        new CostRoutes().costPaths(new CostHandler(null, null, null)),
                        new SuiteRoutes().suitePaths(new SuitesHandler(null, null, null)),
                        new TargetRoutes().targetPaths(new TargetsHandler(null, null)),
                        new ScheduleRoutes().schedulePaths(new SchedulesHandler(null, null)),
                        new RunConfigRoutes()
                                .runConfigPaths(
                                        new RunConfigsHandler(null, null, null, null),
                                        new ActivationsHandler(null, null, null)),
                        new RunRoutes()
                                .runPaths(
                                        new RunsHandler(null, null, null, null, null),
                                        new RunCellsHandler(null, null, null, null)),
                        new ComparisonRoutes()
                                .comparisonPaths(
                                        new ComparisonsHandler(null, null, null, null),
                                        new ExportsHandler(null, null, null, null)))
                .stream()
                .map(Object::toString)
                .collect(Collectors.joining("\n"));
    }
}
