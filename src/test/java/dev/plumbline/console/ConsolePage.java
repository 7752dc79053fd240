package dev.plumbline.console;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.TimeoutException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.ui.ExpectedConditions;

/** The page as a user handles it. */
record ConsolePage(Browser browser, String url) {
    private static final Pattern PROMPT_TOKENS = Pattern.compile("([\\d,]+) prompt");

    /** Opens the page, through the login if that is asked for. */
    ConsolePage open(String name, String password) {
        browser.open(url + "/console");
        browser.shown("input[name=username]").sendKeys(name);
        browser.find("input[name=password]").sendKeys(password);
        browser.find("main form button").click();
        ready();
        return this;
    }

    /** Waits until the list of conversations was read. */
    void ready() {
        browser.until(page -> !browser.texts("#conversations li").isEmpty()
                || !browser.find("#history-note").getText().isEmpty());
    }

    void reload() {
        browser.driver().navigate().refresh();
        ready();
    }

    /** Asks by the keyboard and waits for the end of the answer. */
    void ask(String text) {
        send(text);
        browser.until(page -> browser.find("#send").isDisplayed());
    }

    /** Asks and does not wait. */
    void send(String text) {
        browser.paste("#message", text);
        browser.find("#message").sendKeys(Keys.chord(Keys.CONTROL, Keys.ENTER));
    }

    void system(String text) {
        openSettings();
        browser.paste("#system", text);
    }

    /** An empty text sets no limit. */
    void maxTokens(String tokens) {
        openSettings();
        browser.paste("#max-tokens", tokens);
    }

    /** Asks about a text of the prompt from now on. */
    void watch(String text) {
        openSettings();
        browser.paste("#watch", text);
    }

    private void openSettings() {
        if (!browser.find("#system").isDisplayed()) {
            browser.find(".settings summary").click();
        }
    }

    /** Waits for so many turns and tells what they say. */
    List<String> turns(int count) {
        try {
            browser.until(ExpectedConditions.numberOfElementsToBe(By.cssSelector(".turn"), count));
        } catch (TimeoutException e) {
            throw new AssertionError("the page says: " + browser.texts("#problem"), e);
        }
        return browser.texts(".turn > .turn-text");
    }

    /** What the last answer says. */
    String answer() {
        List<String> answers = browser.texts(".turn.assistant > .turn-text");
        return answers.get(answers.size() - 1);
    }

    /** Tokens of the last answer's prompt, as the page tells them. */
    int promptTokens() {
        List<String> facts = browser.texts(".turn.assistant .turn-facts");
        Matcher matcher = PROMPT_TOKENS.matcher(facts.get(facts.size() - 1));
        return matcher.find() ? Integer.parseInt(matcher.group(1).replace(",", "")) : 0;
    }

    /** The badge of the last answer; empty without one. */
    String badge() {
        List<WebElement> badges = browser.driver().findElements(By.cssSelector(".turn.assistant .badge"));
        return badges.get(badges.size() - 1).getText();
    }

    /** Titles in the list of conversations. */
    List<String> listed() {
        return browser.texts("#conversations .entry-title");
    }

    /** Opens a conversation of the list. */
    void choose(String title) {
        browser.driver()
                .findElement(By.xpath("//ul[@id='conversations']//a[span='" + title + "']"))
                .click();
    }

    void search(String words) {
        browser.paste("#search", words);
    }

    void startNew() {
        browser.find("#new-conversation").click();
    }

    void rename(String title) {
        browser.shown("#rename").click();
        browser.shown("#rename-title");
        browser.paste("#rename-title", title);
        browser.find("#rename-dialog .primary").click();
    }

    void delete() {
        browser.shown("#delete").click();
        browser.shown("#delete-dialog .danger").click();
    }
}
