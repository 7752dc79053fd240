package dev.plumbline.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.database.Database;
import dev.plumbline.security.Scope;
import dev.plumbline.security.TestUser;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The page of run configs in a real browser, on a database of its own. */
class RunConfigsPageTest {
    private static final String HOSTILE =
            "<script>window.ran = 1</script><img src=x onerror=\"window.ran = 2\"><b>bold</b> & \"quoted\"";

    private static TestServer server;
    private static TestUser operator;
    private static TestUser reader;
    private static Browser browser;

    private final String name = "t" + UUID.randomUUID().toString().substring(0, 8);

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        String database = TestDatabase.create();
        server = TestServer.loading(TestDatabase.named(database), TestServer.KEY);
        server.load(folder, 2, 2);
        try (Database own = TestDatabase.named(database)) {
            operator = TestUser.create(own, Scope.CHAT, Scope.OPERATE);
            reader = TestUser.create(own, Scope.CHAT);
        }
        browser = new Browser();
    }

    @AfterAll
    static void stop() {
        browser.close();
        server.close();
    }

    @BeforeEach
    void logIn() {
        logIn(operator);
    }

    private static void logIn(TestUser user) {
        browser.driver().manage().deleteAllCookies();
        new ConsolePage(browser, server.url()).open(user.name(), user.password());
        browser.find(".pages a[href='/console/run-configs']").click();
        browser.until(page -> browser.texts("#configs a").size() >= 9);
    }

    private static void open(String query) {
        browser.open(server.url() + "/console/run-configs" + query);
    }

    @Test
    void theListSaysWhatIsActiveAndWhatTheOthersDoDifferently() {
        // then
        browser.until(page -> browser.texts("#configs a").stream()
                .anyMatch(text -> text.contains("fp32-index@1") && text.contains("differs: index_key_dtype fp32")));
        assertThat(browser.texts("#configs a"))
                .anySatisfy(text -> assertThat(text).startsWith("baseline@1").contains("active"))
                .anySatisfy(text -> assertThat(text).contains("double-budget@1", "differs: index_topk 16"));
        assertThat(browser.texts(".pages [aria-current]")).containsExactly("Run configs");
        nothingWentWrong();
    }

    @Test
    void theAddressHoldsWhatIsShown() {
        // when
        configLink("fp32-index@1").click();

        // then
        title("fp32-index@1");
        assertThat(browser.script("return location.search")).isEqualTo("?config=fp32-index%401");
        assertThat(browser.texts("#view .grid tr.differs"))
                .singleElement()
                .asString()
                .contains("index_key_dtype", "fp32", "bf16", "differs");
        assertThat(browser.texts("#configs [aria-current]"))
                .singleElement()
                .asString()
                .startsWith("fp32-index@1");

        // when two are compared, and the browser goes back
        browser.find("#view .heading select").sendKeys("baseline@1", Keys.TAB);
        title("baseline@1 and fp32-index@1");
        assertThat(browser.find("#view caption").getText()).isEqualTo("1 flags differ");
        browser.driver().navigate().back();

        // then
        title("fp32-index@1");
        browser.driver().navigate().refresh();
        title("fp32-index@1");
        nothingWentWrong();
    }

    @Test
    void theCostFollowsTheModel() {
        // given
        open("?config=fp32-index");
        browser.until(page -> !browser.texts("#view .headline").isEmpty());

        // when
        browser.find("#view select[name=model]").sendKeys("v4", Keys.TAB);

        // then 21 layers of 128 fp32 each 4 tokens, against 12627.2 bytes as served
        browser.until(page -> browser.texts("#view .headline").stream().anyMatch(text -> text.contains("13,971.2")));
        assertThat(browser.find("#view .headline").getText()).contains("served: 12,627.2, +10.6 %", "-9.6 %");
        assertThat(browser.texts("#view .cost-answer tr"))
                .anySatisfy(row -> assertThat(row).containsPattern("index_keys\\s+2,688"));

        // when the budget is none
        browser.paste("#view input[name=budget_gib]", "-3");

        // then
        browser.until(page -> browser.texts("#view .field-error").stream()
                .anyMatch(text -> text.contains("budget_gib is -3; allowed: a number above 0")));
        assertThat(browser.find("#view input[name=budget_gib]").getDomAttribute("aria-invalid"))
                .isEqualTo("true");
        nothingWentWrong();
    }

    @Test
    void theEditorExplainsRefusesBesideTheFieldAndSavesVersions() {
        // given
        browser.find(".list a.button").click();
        browser.shown("#editor");
        assertThat(browser.find("#edit-index_key_dtype-hint").getText())
                .contains("keys by which a query finds its entries", "Allowed: fp32, bf16, fp8, mxfp4.");

        // when
        choose("numerics", "qat");
        choose("index_key_dtype", "fp8");

        // then
        browser.until(
                page -> browser.find("#edit-index_key_dtype-error").getText().contains("fp32, bf16"));
        assertThat(browser.find("#edit-index_key_dtype").getDomAttribute("aria-invalid"))
                .isEqualTo("true");
        assertThat(browser.find("#edit-numerics-error").isDisplayed()).isFalse();

        // when
        choose("numerics", "hf");
        browser.paste("#edit-index_topk", "3x");
        browser.until(page -> browser.texts("#editor .headline").stream().anyMatch(text -> text.contains("bytes per")));
        assertThat(browser.find("#edit-index_key_dtype-error").isDisplayed()).isFalse();
        browser.paste("#edit-name", "No Name");
        browser.find("#save").click();

        // then
        browser.until(page -> browser.find("#edit-name-error").getText().contains("allowed: 1 to 63"));

        // when
        browser.paste("#edit-name", name);
        browser.paste("#edit-description", HOSTILE);
        browser.find("#save").click();

        // then
        title(name + "@1");
        assertThat(browser.find("#view .text").getText()).isEqualTo(HOSTILE);
        configLink(name + "@1");

        // when
        browser.driver().findElement(By.linkText("Edit as a new version")).click();
        browser.shown("#editor");
        assertThat(browser.find("#edit-index_topk").getDomProperty("value")).isEqualTo("3x");
        assertThat(browser.find("#edit-description").getDomProperty("value")).isEqualTo(HOSTILE);
        browser.paste("#edit-temperature", "0.5");
        browser.find("#save").click();

        // then
        title(name + "@2");
        assertThat(browser.texts("#view .versions li")).hasSize(2);
        nothingWentWrong();
    }

    @Test
    void activatingTellsHowItGoesProvesItAndCanBeUndone() {
        // given
        configLink("fp32-index@1").click();
        title("fp32-index@1");
        button("Activate...").click();
        browser.shown("#reason-dialog");

        // when there is no reason
        browser.find("#reason-do").click();

        // then
        browser.until(page -> browser.find("#reason-error").getText().contains("1 to 500 characters"));

        // when
        browser.paste("#reason", HOSTILE);
        browser.find("#reason").sendKeys(Keys.ENTER);

        // then
        title("Activation of fp32-index@1");
        browser.until(page -> browser.find("#activation").getText().contains("complete"));
        browser.until(page -> browser.texts("#activation tbody tr").stream()
                .anyMatch(row -> row.matches("index_key_dtype\\s+fp32\\s+fp32\\s+run config\\s+same")));
        assertThat(browser.find("#activation").getText())
                .contains(HOSTILE, operator.name(), "Smoke test")
                .doesNotContain("DIFFERS");
        browser.until(page -> browser.texts("#configs a").stream()
                .anyMatch(text -> text.startsWith("fp32-index@1") && text.contains("active")));

        // when
        open("");
        title("Active");
        button("Roll back...").click();
        browser.shown("#reason-dialog");
        browser.paste("#reason", "answers got worse");
        browser.find("#reason-do").click();

        // then
        title("Activation of baseline@1");
        browser.until(page -> browser.find("#activation").getText().contains("complete"));
        open("");
        title("Active");
        assertThat(browser.texts("#view tbody tr").get(0))
                .contains("rollback", "fp32-index@1", "baseline@1", "complete", "answers got worse");
        assertThat(browser.texts("#view tbody tr").get(1)).contains("activate", HOSTILE);
        nothingWentWrong();
    }

    @Test
    void whoMayNotOperateCanLook() {
        // when
        logIn(reader);
        configLink("fp8-index@1").click();
        title("fp8-index@1");

        // then
        assertThat(browser.texts("#view button")).isEmpty();
        assertThat(browser.texts("a")).doesNotContain("New", "Edit as a new version");
        open("?edit=fp8-index");
        browser.until(page -> browser.find("#problem").getText().equals("Editing needs the scope operate."));
        open("");
        title("Active");
        assertThat(browser.texts("#view button:not([hidden])")).isEmpty();
        nothingWentWrong();
    }

    @Test
    void whatDoesNotExistIsSaid() {
        // when
        open("?config=nothing");

        // then
        browser.until(page -> browser.find("#problem").getText().contains("No run config 'nothing' exists"));
        nothingWentWrong();
    }

    @Test
    void theKeyboardIsEnoughAndNothingIsWiderThanAPhone() {
        // when
        configLink("fp8-index@1").sendKeys(Keys.ENTER);
        title("fp8-index@1");

        // then the heading of the view has the focus
        browser.until(page ->
                browser.script("return document.activeElement.textContent").equals("fp8-index@1"));
        try {
            browser.resize(390, 844);
            for (String query : List.of("", "?config=fp8-index", "?a=baseline&b=fast-all", "?edit=fast-all")) {
                open(query);
                browser.until(page ->
                        !browser.texts("#view h2, #editor:not([hidden]) h2").isEmpty());
                assertThat((Long) browser.script("return document.documentElement.scrollWidth"))
                        .as("pixels of %s", query)
                        .isLessThanOrEqualTo(390);
            }
            pictures();
        } finally {
            browser.resize(1440, 900);
        }
        pictures();
        nothingWentWrong();
    }

    /** For people to look at. */
    private static void pictures() {
        Object width = browser.script("return innerWidth");
        for (String query : List.of("?config=fast-all", "?edit=fast-all", "?")) {
            open(query);
            browser.until(
                    page -> !browser.texts("#view h2, #editor:not([hidden]) h2").isEmpty());
            for (String scheme : List.of("light", "dark")) {
                browser.prefer(scheme);
                String view = query.replaceAll("[?]|=.*", "");
                browser.screenshot(
                        Path.of("target/screenshots/run-configs-" + view + "-" + width + "-" + scheme + ".png"));
            }
            browser.prefer("light");
        }
    }

    private static void title(String text) {
        browser.until(
                page -> browser.texts("#view h2, #editor:not([hidden]) h2").contains(text));
    }

    private static WebElement configLink(String id) {
        return browser.until(page -> page.findElements(By.cssSelector("#configs a[data-id='" + id + "']")).stream()
                .findFirst()
                .orElse(null));
    }

    private static WebElement button(String text) {
        return browser.driver().findElement(By.xpath("//button[.='" + text + "']"));
    }

    private static void choose(String flag, String value) {
        browser.script(
                "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
                browser.find("#edit-" + flag),
                value);
    }

    /** Refusals are part of it; scripts that ran, errors and violated policies are not. */
    private static void nothingWentWrong() {
        assertThat(browser.script("return window.ran")).isNull();
        assertThat(browser.texts("#view img, #view b, #configs img")).isEmpty();
        assertThat(browser.faults()).allMatch(fault -> fault.contains("the server responded with a status of 40"));
    }
}
