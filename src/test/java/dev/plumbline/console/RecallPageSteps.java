package dev.plumbline.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.security.TestUser;
import java.nio.file.Path;
import java.util.List;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** What the tests of the page of recall do and look at again and again. */
abstract class RecallPageSteps {
    static RecallServer server;
    static Browser browser;

    static void logIn(Browser where, TestUser user) {
        where.driver().manage().deleteAllCookies();
        new ConsolePage(where, server.url()).open(user.name(), user.password());
        where.find(".pages a[href='/console/recall']").click();
        title(where, "Is it safe to ship?");
    }

    static void open(String query) {
        open(browser, query);
    }

    static void open(Browser where, String query) {
        where.open(server.url() + "/console/recall" + query);
    }

    static void title(Browser where, String text) {
        where.until(page -> where.texts("#view h2").contains(text));
    }

    static void title(String text) {
        title(browser, text);
    }

    static void waitFor(String css, String text) {
        browser.until(page -> browser.texts(css).stream().anyMatch(found -> found.contains(text)));
    }

    /** From now on every state that the view shows is kept. */
    static void noteStates(Browser where) {
        where.script(
                "window.states = []; const note = () => { const shown = document.querySelector('.run-state')?.textContent;"
                        + "if (shown && window.states.at(-1) !== shown) { window.states.push(shown); } }; note();"
                        + "new MutationObserver(note).observe(document.getElementById('view'), {childList: true, subtree: true})");
    }

    /** In a window of so many pixels none of some views has to be moved sideways. */
    static void nothingIsWiderThan(int pixels, List<String> queries) {
        try {
            browser.resize(pixels, 844);
            for (String query : queries) {
                open(query);
                browser.until(page -> !browser.texts("#view h2").isEmpty());
                assertThat((Long) browser.script("return document.documentElement.scrollWidth"))
                        .as("pixels of %s", query)
                        .isLessThanOrEqualTo(pixels);
            }
        } finally {
            browser.resize(1440, 900);
        }
    }

    /** For people to look at. */
    static void picture(String name, String query) {
        open(query);
        browser.until(page -> !browser.texts("#view h2").isEmpty());
        for (String scheme : List.of("light", "dark")) {
            browser.prefer(scheme);
            browser.screenshot(Path.of("target/screenshots/recall-" + name + "-" + scheme + ".png"));
        }
        browser.prefer("light");
    }

    static WebElement button(String text) {
        return browser.until(page -> page.findElements(By.xpath("//button[.='" + text + "']")).stream()
                .filter(WebElement::isDisplayed)
                .findFirst()
                .orElse(null));
    }

    /** Refusals are part of it; scripts that ran, errors and violated policies are not. */
    static void nothingWentWrong() {
        assertThat(browser.script("return window.ran")).isNull();
        assertThat(browser.texts("#view img, #view b:not(.heat-link b), #view script"))
                .isEmpty();
        assertThat(browser.faults()).allMatch(fault -> fault.contains("the server responded with a status of 40"));
    }
}
