package dev.plumbline;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows between the rooms, as docs/architecture.md draws them. */
@AnalyzeClasses(packages = "dev.plumbline", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule arrowsPointDown = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .withOptionalLayers(true)
            .layer("command line")
            .definedBy("..cli..")
            .layer("rooms with a door")
            .definedBy(
                    "..console..",
                    "..chat..",
                    "dev.plumbline.api..",
                    "dev.plumbline.http..",
                    "..recall..",
                    "..schedule..",
                    "..security..",
                    "..ops..")
            .layer("shared rooms")
            .definedBy("..runconfig..", "..conversation..", "..database..", "..target..", "..usage..")
            .layer("engine")
            .definedBy("..engine..")
            .layer("foundation")
            .definedBy("..kernel..", "..model..", "..precision..", "..trace..")
            .whereLayer("command line")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("rooms with a door")
            .mayOnlyBeAccessedByLayers("command line")
            .whereLayer("shared rooms")
            .mayOnlyBeAccessedByLayers("command line", "rooms with a door")
            .whereLayer("engine")
            .mayOnlyBeAccessedByLayers("command line", "rooms with a door", "shared rooms");

    @ArchTest
    static final ArchRule roomsFormNoCycles =
            slices().matching("dev.plumbline.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theEngineAndWhatItStandsOnArePlainJava = noClasses()
            .that()
            .resideInAnyPackage("..engine..", "..kernel..", "..model..", "..precision..", "..trace..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework..", "reactor..", "io.netty..", "picocli..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule theKernelContractKnowsNoCheckpoint = noClasses()
            .that()
            .resideInAPackage("..kernel..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..engine..", "..model..", "..trace..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule endpointsShareOnlyWhatLiesBelowThem = noClasses()
            .that()
            .resideInAPackage("dev.plumbline.api..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.plumbline.chat..", "dev.plumbline.console..");

    @ArchTest
    static final ArchRule onlyTheCommandLinePrints =
            noClasses().that().resideOutsideOfPackage("..cli..").should(ACCESS_STANDARD_STREAMS);
}
