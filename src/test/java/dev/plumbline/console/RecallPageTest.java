package dev.plumbline.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The page of recall in real browsers, on runs of the embedded model. */
class RecallPageTest extends RecallPageSteps {
    private static final String HOSTILE =
            "<script>window.ran = 1</script><img src=x onerror=\"window.ran = 2\"><b>bold</b>";
    /** A stratum may be called anything of up to 63 characters. */
    private static final String NEAR = "near <img src=x onerror=\"window.ran = 3\"><b>";

    private static final String FAR = "1K tokens";

    private static String baseline;
    private static String starved;
    private static String other;

    @BeforeAll
    static void start() throws Exception {
        server = new RecallServer();
        server.post(
                "/api/run-configs",
                Map.of("name", "starved", "description", HOSTILE, "profile", Map.of("index_topk", 1)));
        Map<String, Integer> lengths = new LinkedHashMap<>();
        lengths.put(NEAR, 220);
        lengths.put(FAR, 1024);
        server.suite("page", lengths);
        server.suite("short", Map.of("200 tokens", 200));
        server.suite("upload", Map.of("200 tokens", 200));
        baseline = server.start("page", "baseline", 1);
        starved = server.start("page", "starved", 1);
        other = server.start("short", "baseline", 1);
        browser = new Browser();
        server.await(baseline);
        server.await(starved);
        server.await(other);
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
        server.close();
    }

    @BeforeEach
    void logIn() {
        logIn(browser, server.operator());
    }

    @Test
    void twoBrowsersFollowARunThatOneOfThemStarts() {
        try (Browser second = new Browser()) {
            // given
            logIn(second, server.operator());
            open("?view=start&suite=page&run_config=baseline&seeds=2");
            title("Start a run");
            noteStates(browser);

            // when
            browser.find("#view form .primary").click();
            title("page/1 under baseline@1");
            open(second, (String) browser.script("return location.search"));
            noteStates(second);

            // then both see it end without reading the page anew
            for (Browser each : List.of(browser, second)) {
                each.until(page -> each.texts(".run-state").contains("finished"));
                assertThat(String.valueOf(each.script("return window.states.join(' ')")))
                        .as("states that were shown")
                        .matches("(waiting )?running finished");
                each.until(page -> each.find(".progress").getText().startsWith("32 of 32 cells answered"));
                each.until(page -> each.texts("#results tbody td:last-child").contains("0"));
            }
            assertThat(second.texts("#results")).isEqualTo(browser.texts("#results"));
            assertThat(second.faults()).isEmpty();
        }
        nothingWentWrong();
    }

    @Test
    void theHeatmapSaysItsNumbersAndLeadsToAnswersAndTrace() {
        // given
        open("?view=run&id=" + starved);
        title("page/1 under starved@1");

        // then the rows are lengths with their phases, and every cell says rate and count
        assertThat(browser.texts(".heatmap tbody th"))
                .anySatisfy(row -> assertThat(row).contains(NEAR, "220 to 223 tokens"))
                .anySatisfy(row -> assertThat(row).contains(FAR, "1,024 to 1,027 tokens"));
        assertThat(browser.texts(".heatmap .heat-link")).hasSize(8).allSatisfy(cell -> assertThat(cell)
                .matches("(?s)\\d+ %\\s+\\d/\\d"));
        assertThat(browser.texts("#results .grid:not(.heatmap) tbody tr")).anySatisfy(row -> assertThat(row)
                .contains(FAR, "yes", "16")
                .containsPattern("\\d+(\\.\\d)? % to \\d+(\\.\\d)? %"));

        // when a cell is followed by keyboard
        WebElement worst = browser.driver().findElements(By.cssSelector(".heatmap .heat-link")).stream()
                .filter(cell -> cell.getDomAttribute("aria-label").contains(FAR)
                        && cell.getDomAttribute("aria-label").matches(".*: [0-3] of 4 passed"))
                .findFirst()
                .orElseThrow();
        worst.sendKeys(Keys.ENTER);

        // then its cells are listed, the heading has the focus and the address holds it
        browser.until(page -> browser.script("return document.activeElement.textContent")
                .toString()
                .startsWith("Cells: " + FAR));
        assertThat((String) browser.script("return location.search")).contains("from=1024", "to=1027", "depth=");
        browser.driver().navigate().refresh();
        waitFor("#view h3", "Cells: " + FAR);
        assertThat(browser.texts(".heatmap [aria-current]")).hasSize(1);
        assertThat(browser.driver().findElements(By.cssSelector("#view a.code")))
                .hasSize(4);

        // when a failed one is opened
        browser.driver()
                .findElement(
                        By.xpath("//tr[.//*[contains(@class,'tag')][.='failed']][not(starts-with(td[5],'1 of'))]//a"))
                .click();
        waitFor("#view h2", "multikey/");

        // then
        String expected = browser.find("#view .facts code").getText();
        assertThat(browser.find(".prompt").getText()).contains(expected);
        assertThat(browser.texts("#view .grid tbody tr"))
                .anySatisfy(row -> assertThat(row).contains("prefill"))
                .anySatisfy(row -> assertThat(row).contains("decode"))
                .anySatisfy(row -> assertThat(row).contains("NOT SELECTED").containsPattern("\\d+ of \\d+"));
        browser.driver().navigate().back();
        waitFor("#view h3", "Cells: " + FAR);
        nothingWentWrong();
    }

    @Test
    void rowsAreLengthsOrPhases() {
        // when
        open("?view=run&id=" + baseline + "&rows=phase");

        // then
        title("page/1 under baseline@1");
        assertThat(browser.texts(".heatmap tbody th")).hasSize(8).anyMatch(row -> row.contains("length mod 4 = 3"));

        // when
        browser.driver().findElement(By.linkText("every length")).click();

        // then
        browser.until(
                page -> browser.texts(".heatmap tbody th").stream().anyMatch(row -> row.contains("1,026 tokens")));
        assertThat(browser.texts(".heatmap tbody th")).hasSize(8);
        nothingWentWrong();
    }

    @Test
    void whatModelsAndUsersWriteStaysText() throws Exception {
        // given
        String run = server.start("short", "baseline", 7);
        server.await(run);
        server.misquote(run, HOSTILE);

        // when
        open("?view=run&id=" + run + "&cells=all&cell_state=failed");

        // then
        waitFor("#view td", HOSTILE);

        // when
        browser.driver().findElement(By.xpath("//tr[contains(., '<img')]//a")).click();

        // then
        waitFor("#view .said", HOSTILE);
        open("?view=start");
        title("Start a run");
        waitFor("#view option", HOSTILE);
        nothingWentWrong();
    }

    @Test
    void theListIsFilteredAndPagedByTheAddress() {
        // when
        open("?view=runs&suite=page&run_config=starved&state=finished");

        // then
        title("Runs");
        assertThat(browser.texts("#view tbody tr"))
                .singleElement()
                .asString()
                .contains("page/1", "starved@1", "finished", "32 of 32");

        // when
        browser.find("#view select[name=run_config]").sendKeys("Every", Keys.TAB);

        // then
        browser.until(page -> browser.texts("#view tbody tr").size() >= 2);
        assertThat((String) browser.script("return location.search"))
                .doesNotContain("run_config")
                .contains("suite=page");
        nothingWentWrong();
    }

    @Test
    void twoRunsAreComparedVerdictFirst() {
        // when
        open("?view=compare&baseline=" + baseline + "&candidate=" + starved);

        // then
        title("baseline@1 and starved@1");
        assertThat(browser.find(".verdict-title").getText()).isEqualTo("NOT ENOUGH EVIDENCE");
        assertThat(browser.texts(".needed")).isNotEmpty();
        assertThat(browser.texts(".heatmap caption"))
                .satisfiesExactly(
                        a -> assertThat(a).startsWith("A: baseline"),
                        b -> assertThat(b).startsWith("B: candidate"),
                        difference -> assertThat(difference).startsWith("A − B in points"));
        assertThat(browser.texts(".heatmap .heat-link"))
                .hasSize(24)
                .anyMatch(cell -> cell.matches("(?s)\\+\\d+\\s+b [1-4], c 0\\s+n 4"));
        assertThat(browser.texts("#view caption")).contains("1 of 16 flags differ");
        assertThat(browser.texts("#view tbody tr"))
                .anySatisfy(row -> assertThat(row).matches("(?s)index_topk\\s+64\\s+1"));

        // when a cell of A - B is followed, and a lost answer
        browser.driver().findElements(By.cssSelector(".heatmap .heat-link")).stream()
                .filter(cell -> cell.getDomAttribute("aria-label").matches(".*: [1-4] lost and 0 gained of 4"))
                .findFirst()
                .orElseThrow()
                .click();
        waitFor("#view h3", "in the chosen cell of the heatmap");
        assertThat((String) browser.script("return location.search")).contains("depth=", "from=");
        browser.find("#view th a.code").click();

        // then both answers and traces stand side by side
        browser.until(page -> browser.texts(".pair > section").size() == 2);
        assertThat(browser.texts(".pair > section").get(0))
                .contains("Baseline: baseline@1", "passed", "prefill", "decode");
        assertThat(browser.texts(".pair > section").get(1)).contains("Candidate: starved@1", "failed", "lacks");
        nothingWentWrong();
    }

    @Test
    void runsOfDifferentCellsAreRefusedWithWhatDiffers() {
        // when
        open("?view=compare&baseline=" + baseline + "&candidate=" + other);

        // then
        waitFor(".verdict-title", "NOT COMPARABLE");
        assertThat(browser.texts(".verdict p")).anyMatch(line -> line.contains("page/1") && line.contains("short/1"));
        assertThat(browser.texts(".heatmap")).isEmpty();
        nothingWentWrong();
    }

    @Test
    void aConfigIsJudgedAndTheFrontSaysWhatCameOfIt() {
        // given
        open("?view=judge&suite=short&candidate=fp32-index");
        title("Judge a run config");

        // when
        browser.find("#view form .primary").click();

        // then 16 cells are too few for any verdict but one
        title("fp32-index@1 against baseline@1");
        waitFor(".verdict-title", "NOT ENOUGH EVIDENCE");
        assertThat(browser.texts(".needed")).singleElement().asString().contains("Cells still needed", "in 200 tokens");
        assertThat(browser.texts("#view .choices a")).contains("Baseline", "Candidate", "Baseline once more");
        open("");
        title("Is it safe to ship?");
        waitFor("#view tbody tr", "fp32-index@1");
        assertThat(browser.texts("#view tbody tr").get(0)).contains("NOT ENOUGH EVIDENCE", "baseline@1", "short/1");
        nothingWentWrong();
    }

    @Test
    void aSuiteIsReadAndUploadedAsYaml() {
        // given
        open("?view=suite&name=upload");
        title("upload/1");
        String yaml = (String) browser.script("return document.querySelector('#view pre').textContent");

        // when it is not right
        browser.driver()
                .findElement(By.xpath("//summary[.='Upload a new version']"))
                .click();
        browser.paste("#view textarea", yaml.replace("multikey", "no-task"));
        browser.find("#view form .primary").click();

        // then
        waitFor("#view .field-error", "no-task");

        // when
        browser.paste("#view textarea", yaml.replace("200 tokens", "two hundred"));
        browser.find("#view form .primary").click();

        // then
        title("upload/2");
        assertThat(browser.texts("#view tbody th")).containsExactly("two hundred");
        assertThat(browser.texts("#view .choices li")).hasSize(2);
        nothingWentWrong();
    }

    @Test
    void aScheduleIsMadeChangedAndDeletedAndTellsItsSecretOnce() {
        // given
        open("?view=schedule");
        title("New schedule");
        browser.paste("#view input[name=name]", HOSTILE);
        browser.paste("#view input[name=cron]", "every day");
        browser.paste("#view input[name=url]", "https://example.org/hook");

        // when the times are none
        browser.find("#view form .primary").click();

        // then
        waitFor("#view .field-error", "cron");

        // when
        browser.paste("#view input[name=cron]", "30 4 * * 1");
        browser.paste("#view input[name=zone]", "Europe/Berlin");
        browser.find("#view form .primary").click();

        // then
        waitFor("#view [role=alert]", "shown only now");
        String secret = browser.find("#view [role=alert] code").getText();
        assertThat(secret).hasSizeGreaterThan(15);
        browser.driver().findElement(By.linkText("Go on to the schedule")).click();
        title(HOSTILE);
        assertThat(browser.find("#view .facts").getText())
                .contains("30 4 * * 1 (Europe/Berlin)", "https://example.org/hook", "baseline@1", "what is active");
        assertThat((String) browser.script("return document.documentElement.outerHTML"))
                .doesNotContain(secret);

        // when it is switched off
        browser.driver().findElement(By.linkText("Change")).click();
        browser.shown("#view input[name=enabled]").click();
        browser.find("#view form .primary").click();

        // then
        browser.until(page -> browser.texts("#view .heading .tag").contains("off"));
        button("Delete").click();
        browser.shown("#ask-do").click();
        title("Schedules");
        assertThat(browser.texts("#view tbody tr")).isEmpty();
        nothingWentWrong();
    }

    @Test
    void aScheduleIsRunByHandAndItsHistoryLeadsToTheComparison() throws Exception {
        // given one that has not run yet
        String schedule = server.post(
                        "/api/schedules",
                        Map.of(
                                "name", "by hand",
                                "suite", "short",
                                "candidate", "fp32-index",
                                "baseline", "baseline@1",
                                "cron", "nightly"))
                .path("id")
                .asString();
        open("?view=schedule&id=" + schedule);
        title("by hand");
        assertThat(browser.texts("#view tbody tr")).isEmpty();

        // when
        button("Run now").click();

        // then
        browser.until(page -> browser.texts("#view tbody tr").size() == 1);
        assertThat(browser.texts("#view tbody tr").get(0)).contains("manual");

        // when it has ended
        server.awaitFiring(schedule);
        browser.driver().navigate().refresh();

        // then
        waitFor("#view tbody tr", "NOT ENOUGH EVIDENCE");
        assertThat(browser.texts("#view tbody tr").get(0)).contains("manual", "ended", "fp32-index@1", "no webhook");
        browser.find("#view tbody tr a").click();
        title("fp32-index@1 against baseline@1");
        browser.driver().navigate().back();
        title("by hand");
        button("Delete").click();
        browser.shown("#ask-do").click();
        title("Schedules");
        nothingWentWrong();
    }

    @Test
    void aTargetIsAddedCheckedAndDeleted() {
        // given nothing listens there
        open("?view=target");
        title("Add a server");
        browser.paste("#view input[name=name]", "elsewhere");
        browser.paste("#view input[name=url]", "http://127.0.0.1:9");
        browser.paste("#view input[name=model]", HOSTILE);
        browser.paste("#view input[name=key]", "key-that-is-kept");
        browser.find("#view form .primary").click();

        // then
        title("elsewhere");
        assertThat(browser.find("#view .facts").getText()).contains(HOSTILE, "stored, never shown");
        assertThat((String) browser.script("return document.documentElement.outerHTML"))
                .doesNotContain("key-that-is-kept");

        // when
        button("Check").click();

        // then
        waitFor("#checked", "not ready");
        button("Delete").click();
        browser.shown("#ask-do").click();
        title("Targets");
        assertThat(browser.texts("#view tbody tr")).isEmpty();
        nothingWentWrong();
    }

    @Test
    void aRunIsCancelledAndDeleted() throws Exception {
        // given
        String run = server.start("smoke", "baseline", 9);
        open("?view=run&id=" + run);
        title("smoke/1 under baseline@1");

        // when
        button("Cancel").click();

        // then
        browser.until(page -> browser.texts(".run-state").contains("cancelled"));

        // when
        button("Delete").click();
        browser.shown("#ask-do").click();

        // then
        title("Runs");
        open("?view=run&id=" + run);
        waitFor("#problem", run);
        nothingWentWrong();
    }

    @Test
    void aRefusalStandsBesideItsField() {
        // when
        open("?view=start&seeds=one");
        title("Start a run");
        browser.find("#view form .primary").click();

        // then
        waitFor("#view .field-error", "seeds");
        assertThat(browser.find("#view input[name=seeds]").getDomAttribute("aria-invalid"))
                .isEqualTo("true");
        nothingWentWrong();
    }

    @Test
    void whoMayNotOperateCanLook() {
        // when
        logIn(browser, server.reader());
        open("?view=run&id=" + baseline);
        title("page/1 under baseline@1");

        // then
        assertThat(browser.texts("#view button")).isEmpty();
        assertThat(browser.texts("a")).doesNotContain("Start a run", "Judge a run config", "Run again");
        nothingWentWrong();
    }

    @Test
    void nothingIsWiderThanAPhone() {
        List<String> views = List.of(
                "",
                "?view=compare&baseline=" + baseline + "&candidate=" + starved,
                "?view=target",
                "?view=run&cells=all&id=" + starved,
                "?view=start",
                "?view=suites",
                "?view=suite&name=smoke");
        nothingIsWiderThan(390, views);
        picture("run", "?view=run&id=" + starved);
        picture("compare", "?view=compare&baseline=" + baseline + "&candidate=" + starved);
        nothingWentWrong();
    }
}
