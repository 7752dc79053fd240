package dev.plumbline.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long wrong passwords make one wait. Time passes only when a test says so. */
class AttemptsTest {
    private final TestClock clock = new TestClock();
    private final Attempts attempts = new Attempts(clock);

    private Duration wait(String name, String address) {
        LoginLockedException locked =
                catchThrowableOfType(LoginLockedException.class, () -> attempts.begin(name, address));
        return locked == null ? Duration.ZERO : locked.left();
    }

    private void fail(int times, String name, String address) {
        for (int i = 0; i < times; i++) {
            assertThat(wait(name, address)).isZero();
        }
    }

    @Test
    void theSixthAttemptOnANameWaitsFromWhereverItComes() {
        for (int i = 0; i < 5; i++) {
            fail(1, "admin", "10.0.0." + i);
        }
        assertThat(wait("admin", "10.0.0.9")).isEqualTo(Duration.ofSeconds(30));
        assertThat(wait("other", "10.0.0.9")).isZero();
    }

    @Test
    void theSixthAttemptFromAnAddressWaitsForWhateverName() {
        for (int i = 0; i < 5; i++) {
            fail(1, "name" + i, "10.0.0.1");
        }
        assertThat(wait("fresh", "10.0.0.1")).isEqualTo(Duration.ofSeconds(30));
        assertThat(wait("fresh", "10.0.0.2")).isZero();
    }

    @Test
    void theWaitDoublesUpToAQuarterOfAnHour() {
        fail(5, "admin", "a");
        for (int seconds : new int[] {30, 60, 120, 240, 480, 900, 900}) {
            assertThat(wait("admin", "a")).isEqualTo(Duration.ofSeconds(seconds));
            clock.pass(Duration.ofSeconds(seconds));
            fail(1, "admin", "a");
        }
    }

    @Test
    void whoIsLockedOutDoesNotMakeItWorseByTrying() {
        fail(5, "admin", "a");
        for (int i = 0; i < 100; i++) {
            wait("admin", "a");
        }
        clock.pass(Duration.ofSeconds(10));
        assertThat(wait("admin", "a")).isEqualTo(Duration.ofSeconds(20));
        assertThat(wait("admin", "b")).isEqualTo(Duration.ofSeconds(20));
        assertThat(wait("other", "b")).isZero();
    }

    @Test
    void aRightPasswordStartsAnew() {
        fail(4, "admin", "a");
        attempts.succeeded("admin", "a");
        fail(5, "admin", "a");
        assertThatCode(() -> attempts.succeeded("admin", "a")).doesNotThrowAnyException();
        fail(1, "admin", "a");
    }

    @Test
    void strangersCannotKeepOutWhoComesFromWhereTheyLoggedInBefore() {
        attempts.succeeded("admin", "home");
        for (int i = 0; i < 5; i++) {
            fail(1, "admin", "10.0.0." + i);
        }

        assertThat(wait("admin", "10.0.0.9")).isEqualTo(Duration.ofSeconds(30));
        fail(5, "admin", "home");
        assertThat(wait("admin", "home")).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void anAttemptThatWasNotJudgedIsNoFailure() {
        for (int i = 0; i < 20; i++) {
            fail(1, "admin", "a");
            attempts.notJudged("admin", "a");
        }
        fail(5, "admin", "a");
        assertThat(wait("admin", "a")).isEqualTo(Duration.ofSeconds(30));
    }
}
