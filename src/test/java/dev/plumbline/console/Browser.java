package dev.plumbline.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.ExpectedCondition;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A headless Chromium with an empty profile that notes everything that goes wrong in its pages. */
final class Browser implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);
    private static final List<String> BINARIES = List.of("chromium", "chromium-browser", "google-chrome");

    private final ChromeDriver driver;
    private final WebDriverWait wait;
    private final List<String> faults = new ArrayList<>();

    Browser() {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program(BINARIES).toFile());
        // Root may not sandbox; the rest keeps the browser from calling home.
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--window-size=1440,900");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(program(List.of("chromedriver")).toFile())
                .withSilent(true)
                .build();
        driver = new ChromeDriver(service, options);
        wait = new WebDriverWait(driver, PATIENCE, LOOK_AGAIN);
    }

    private static Path program(List<String> names) {
        return Stream.of(System.getenv("PATH").split(":"))
                .flatMap(folder -> names.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the tests of the console need one of " + names
                        + " on the PATH: apt-get install chromium chromium-driver, as ./plumbline test does"));
    }

    /** Makes it one that was just started, for the next test of a class. */
    void startAnew() {
        driver.get("about:blank");
        driver.executeCdpCommand("Storage.clearDataForOrigin", Map.of("origin", "*", "storageTypes", "all"));
        driver.executeCdpCommand("Network.clearBrowserCache", Map.of());
        driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of()));
        limitDownloads(-1);
        faults();
        faults.clear();
    }

    ChromeDriver driver() {
        return driver;
    }

    void open(String url) {
        driver.get(url);
    }

    WebElement find(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    /** Waits for an element that is shown. */
    WebElement shown(String css) {
        return until(page -> page.findElements(By.cssSelector(css)).stream()
                .filter(WebElement::isDisplayed)
                .findFirst()
                .orElse(null));
    }

    <T> T until(ExpectedCondition<T> condition) {
        return wait.until(condition);
    }

    /** What all elements say, at one moment. */
    List<String> texts(String css) {
        List<?> texts = (List<?>) driver.executeScript(
                "return [...document.querySelectorAll(arguments[0])].map((element) => element.innerText)", css);
        return texts.stream().map(String::valueOf).toList();
    }

    /** Puts a text into a field at once, as pasting does. */
    void paste(String css, String text) {
        driver.executeScript(
                "const field = arguments[0]; field.value = arguments[1];"
                        + "field.dispatchEvent(new Event('input', {bubbles: true}));",
                find(css),
                text);
    }

    Object script(String code, Object... arguments) {
        return ((JavascriptExecutor) driver).executeScript(code, arguments);
    }

    /** Renders as on a screen of this size, in CSS pixels. */
    void resize(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** Lets answers come no faster than this, so that they last on any machine. */
    void slowDown(int bytesPerSecond) {
        driver.executeCdpCommand("Network.enable", Map.of());
        limitDownloads(bytesPerSecond);
    }

    private void limitDownloads(int bytesPerSecond) {
        driver.executeCdpCommand(
                "Network.emulateNetworkConditions",
                Map.of("offline", false, "latency", 0, "downloadThroughput", bytesPerSecond, "uploadThroughput", -1));
    }

    /** {@code light} or {@code dark}. */
    void prefer(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    void screenshot(Path file) {
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the browser complained of since its start: errors, violated policies, failed and refused requests. */
    List<String> faults() {
        driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .forEach(entry -> faults.add(entry.getMessage()));
        return List.copyOf(faults);
    }

    @Override
    public void close() {
        driver.quit();
    }
}
