package dev.plumbline.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.security.Scope;
import dev.plumbline.testing.TestServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page in a real browser, with the embedded model behind it. */
class ConsoleTest {
    private static final String CODE = "ZEBRA-4492-OMEGA";
    private static final String HOSTILE =
            "<script>window.ran = 1</script><img src=x onerror=\"window.ran = 2\"><b>bold</b> & \"quoted\"";

    private static SignedIn signedIn;
    private static Browser browser;
    private ConsolePage page;

    @BeforeAll
    static void start() {
        signedIn = new SignedIn(TestServer::embedded, Scope.CHAT, Scope.OPERATE);
        browser = new Browser();
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
        signedIn.close();
    }

    @BeforeEach
    void open() {
        browser.startAnew();
        signedIn.another();
        page = signedIn.open(browser);
    }

    @Test
    void whatWasAskedIsAnsweredKeptAndContinuedAlsoAfterARestart() throws Exception {
        assertThat(browser.shown("#engine-state").getText()).contains("running");
        assertThat(browser.find("#engine-model").getText()).contains("needle-mini", "11,271,399", "bf16");

        page.watch(CODE);
        page.ask(haystack());
        assertThat(page.answer()).isEqualTo(CODE);
        assertThat(browser.texts(".selection tbody tr td:first-child")).containsExactly("2", "4", "5");
        assertThat(browser.texts(".selection tbody tr td:nth-child(3)"))
                .allSatisfy(selected -> assertThat(selected).matches("[1-6] of 6"));
        assertThat(browser.find(".selection").getText()).contains(CODE, "Tokens ", "entries ", "%");
        page.watch("");
        assertThat(browser.find(".turn.assistant .turn-facts").getText())
                .containsPattern("first token [\\d,.]+ m?s · [\\d,]+ tok/s · [\\d,]+ prompt \\+ \\d+ answer tokens");
        browser.find(".kernels summary").click();
        browser.until(any -> browser.find("#engine-kernels").getText().contains("attention."));

        pictures();

        page.reload();
        assertThat(page.turns(2).get(1)).isEqualTo(CODE);
        page.watch("<b>nowhere</b>");
        page.ask(another("south", "LYNX-1187-DELTA"));
        assertThat(browser.texts(".selection .note")).containsExactly("Not in the prompt.");
        page.watch("");
        assertThat(page.turns(4).get(3)).isEqualTo("LYNX-1187-DELTA");
        assertThat(page.promptTokens()).as("tokens of the whole conversation").isGreaterThan(1_900);

        browser.open("about:blank");
        signedIn.restart();
        page = signedIn.open(browser);
        browser.shown("#conversations a").click();
        assertThat(page.turns(4).get(1)).isEqualTo(CODE);
        page.ask(another("west", "HERON-3305-GAMMA"));
        assertThat(page.turns(6).get(5)).isEqualTo("HERON-3305-GAMMA");
        assertThat(page.promptTokens()).as("tokens of the whole conversation").isGreaterThan(1_950);
        assertThat(browser.faults()).isEmpty();
    }

    @Test
    void conversationsAreFoundRenamedExportedAndDeleted() throws Exception {
        page.ask("The password of the east tower is KESTREL-77.");
        page.startNew();
        page.ask("The password of the west tower is MARMOT-12.");
        browser.until(any -> page.listed().size() == 2);

        page.search("kestrel");
        browser.until(any -> page.listed().size() == 1);
        assertThat(page.listed().get(0)).contains("east tower");
        browser.find("#conversations a").click();
        browser.until(any -> page.turns(2).get(0).contains("KESTREL-77"));
        page.rename("Towers");
        browser.until(any -> page.listed().equals(List.of("Towers")));
        assertThat(browser.find("#title").getText()).isEqualTo("Towers");

        JsonNode exported = exported();
        assertThat(exported.path("title").asString()).isEqualTo("Towers");
        assertThat(exported.at("/turns/0/content").asString()).contains("KESTREL-77");

        page.delete();
        browser.until(any -> page.listed().isEmpty());
        page.search("");
        browser.until(any -> page.listed().size() == 1);
        page.reload();
        assertThat(page.listed().get(0)).contains("west tower");
        assertThat(browser.faults()).isEmpty();
    }

    @Test
    void whatUsersAndModelsWriteIsTextAndRunsNothing() throws Exception {
        page.system(HOSTILE);
        page.watch(HOSTILE);
        page.ask(HOSTILE);
        assertThat(browser.texts(".selection q")).containsExactly(HOSTILE);
        assertThat(browser.texts(".selection tbody tr")).hasSize(3);
        page.watch("");
        page.rename(HOSTILE);
        browser.until(any -> page.listed().equals(List.of(HOSTILE)));
        said(HOSTILE, browser.script("return location.hash.slice(1)").toString());

        page.reload();

        assertThat(page.turns(6)).contains(HOSTILE).first().isEqualTo(HOSTILE);
        assertThat(page.turns(6).get(3)).isEqualTo(HOSTILE);
        assertThat(browser.find("#title").getText()).isEqualTo(HOSTILE);
        assertThat(browser.find("#system").getDomProperty("value")).isEqualTo(HOSTILE);
        assertThat(browser.texts("#thread img, #thread b, #conversations img, #title b"))
                .isEmpty();
        assertThat(browser.script("return window.ran")).isNull();
        assertThat(browser.faults()).isEmpty();
    }

    /** For people to look at. */
    private void pictures() {
        for (String scheme : List.of("light", "dark")) {
            browser.prefer(scheme);
            browser.screenshot(Path.of("target/screenshots/console-" + scheme + ".png"));
        }
        browser.prefer("light");
    }

    /** Adds a turn of the model with this text and reasoning, which no model can be made to say. */
    private void said(String text, String conversation) throws Exception {
        HttpResponse<String> response = signedIn.server()
                .chat(JsonMapper.shared()
                        .writeValueAsBytes(Map.of(
                                "model",
                                "needle-mini",
                                "conversation",
                                conversation,
                                "max_tokens",
                                8,
                                "messages",
                                List.of(
                                        Map.of("role", "assistant", "content", text, "reasoning_content", text),
                                        Map.of("role", "user", "content", "Go on.")))));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    }

    private JsonNode exported() {
        Object text = browser.driver()
                .executeAsyncScript("fetch(document.getElementById('export').href)"
                        + ".then((response) => response.text()).then(arguments[0])");
        return JsonMapper.shared().readTree(text.toString());
    }

    private static String another(String gate, String code) {
        return "The secret code of the " + gate + " gate is " + code + ".\n\nWhat is the secret code of the " + gate
                + " gate?";
    }

    private static String haystack() throws IOException {
        String licence = Files.readString(Path.of("LICENSE")).substring(0, 6000);
        int at = licence.indexOf('\n', licence.length() / 2) + 1;
        return licence.substring(0, at) + "The secret code of the north gate is " + CODE + ".\n" + licence.substring(at)
                + "\n\nWhat is the secret code of the north gate?";
    }
}
