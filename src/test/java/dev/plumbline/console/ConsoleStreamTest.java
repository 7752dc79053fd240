package dev.plumbline.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.security.Scope;
import dev.plumbline.testing.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, with a model behind it whose answers do not end by themselves. */
class ConsoleStreamTest {
    private static final int NARROW = 390;
    /** Bytes a second; a whole answer has many times as much. */
    private static final int SLOW = 20_000;
    /** So long that no answer fills it while a browser takes its time, and that a cut one can be asked about again. */
    private static final int CONTEXT = 1 << 17;

    @TempDir
    private static Path folder;

    private static SignedIn signedIn;
    private static Browser browser;
    private ConsolePage page;

    @BeforeAll
    static void start() {
        signedIn = new SignedIn(ConsoleStreamTest::server, Scope.CHAT, Scope.OPERATE);
        browser = new Browser();
    }

    private static TestServer server() {
        try {
            return TestServer.serving(Files.createDirectory(folder.resolve("tiny")), 2, 4, CONTEXT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
        // Nothing of the test before is still being answered.
        await().untilAsserted(() -> assertThat(running()).isZero());
    }

    @Test
    void aStoppedAnswerFreesTheServerAndIsShownAsIncomplete() {
        page.send("Go on.");
        browser.until(any -> page.answer().length() > 20);
        String early = page.answer();
        assertThat(running()).isEqualTo(1);
        browser.find("#stop").click();

        await().untilAsserted(() -> assertThat(running()).isZero());
        browser.until(any -> page.badge().equals("Incomplete"));
        assertThat(page.answer()).startsWith(early);
        page.reload();
        assertThat(page.badge()).isEqualTo("Incomplete");
        page.maxTokens("5");
        page.ask("And now?");
        assertThat(page.turns(4)).hasSize(4);
        assertThat(page.badge()).isEqualTo("Max tokens reached");
        assertThat(browser.faults()).isEmpty();
    }

    @Test
    void anotherConversationCanBeReadWhileOneIsAnswered() {
        page.maxTokens("4");
        page.ask("The first.");
        page.startNew();
        page.maxTokens("");
        browser.slowDown(SLOW);
        page.send("The second.");
        browser.until(any -> page.listed().equals(List.of("The second.", "The first.")));
        browser.until(any -> page.answer().length() > 20);

        page.choose("The first.");
        browser.until(any -> page.turns(2).get(0).equals("The first."));
        assertThat(browser.find("#send").isDisplayed()).isTrue();
        page.choose("The second.");
        browser.until(any -> page.turns(2).get(0).equals("The second."));
        assertThat(page.badge()).isEqualTo("Answering");
        browser.find("#stop").click();

        browser.until(any -> page.badge().equals("Incomplete"));
        assertThat(browser.faults()).isEmpty();
    }

    @Test
    void aRefusalIsShownAndTheTextGivenBack() {
        String tooLong = "too long ".repeat(CONTEXT / 8);
        page.ask(tooLong);

        assertThat(browser.shown("#problem").getText()).contains("maximum context length is " + CONTEXT + " tokens");
        assertThat(browser.find("#message").getDomProperty("value")).isEqualTo(tooLong);
        assertThat(page.turns(0)).isEmpty();
        browser.until(any -> page.listed().isEmpty());
        assertThat(browser.faults()).singleElement().asString().contains("/v1/chat/completions", "status of 400");
    }

    @Test
    void aFileIsReadIntoTheMessage() throws IOException {
        Path text = Files.writeString(folder.resolve("a.txt"), "Größe: 5 m\r\n<b>x</b>");
        Path binary = Files.write(folder.resolve("b.bin"), new byte[] {(byte) 0xff, 0, (byte) 0xfe});

        browser.find("#files").sendKeys(text + "\n" + binary);

        assertThat(browser.shown("#problem").getText()).isEqualTo("b.bin is not a text in UTF-8.");
        assertThat(browser.find("#message").getDomProperty("value")).isEqualTo("Größe: 5 m\n<b>x</b>");
        assertThat(browser.find("#size").getText()).isEqualTo("19 characters");
        assertThat(browser.faults()).isEmpty();
    }

    @Test
    void itFitsANarrowScreenInLightAndDark() {
        page.maxTokens("40");
        page.ask("W".repeat(400) + " <b>" + "w".repeat(400));
        for (String scheme : List.of("light", "dark")) {
            browser.prefer(scheme);
            browser.resize(NARROW, 844);
            fits();
            for (String panel : List.of("engine", "history")) {
                browser.find(".panel-switch[aria-controls=" + panel + "]").click();
                assertThat(browser.shown("#" + panel).isDisplayed()).isTrue();
                fits();
            }
            browser.find(".panel-switch[aria-controls=history]").click();
            assertThat(browser.find("#history").isDisplayed()).isFalse();
        }
        assertThat(browser.faults()).isEmpty();
    }

    private void fits() {
        assertThat(browser.script("return document.documentElement.scrollWidth"))
                .as("width of the page in CSS pixels")
                .isEqualTo((long) NARROW);
    }

    private int running() {
        return signedIn.server().target().status().running();
    }
}
