package dev.plumbline.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CoveredEntryTest {
    private static final int RATIO = 4;

    @Test
    void aTokenIsInItsWindowAndInTheFirstHalfOfTheNext() {
        for (int token = 0; token < 4; token++) {
            assertThat(CoveredEntry.of(List.of(new TokenSpan(token, token + 1)), RATIO))
                    .containsExactly(new CoveredEntry(0, true), new CoveredEntry(1, false));
        }
        assertThat(CoveredEntry.of(List.of(new TokenSpan(4, 5)), RATIO))
                .containsExactly(new CoveredEntry(1, true), new CoveredEntry(2, false));
    }

    @Test
    void aSpanOverWindowsIsInEachOfThem() {
        assertThat(CoveredEntry.of(List.of(new TokenSpan(3, 9)), RATIO))
                .containsExactly(
                        new CoveredEntry(0, true),
                        new CoveredEntry(1, true),
                        new CoveredEntry(2, true),
                        new CoveredEntry(3, false));
    }

    @Test
    void entriesOfSeveralPlacesComeOnceAndOwnWindowsCount() {
        List<TokenSpan> places = List.of(new TokenSpan(8, 12), new TokenSpan(12, 13), new TokenSpan(40, 41));
        assertThat(CoveredEntry.of(places, RATIO))
                .containsExactly(
                        new CoveredEntry(2, true),
                        new CoveredEntry(3, true),
                        new CoveredEntry(4, false),
                        new CoveredEntry(10, true),
                        new CoveredEntry(11, false));
        assertThat(CoveredEntry.of(List.of(new TokenSpan(12, 13), new TokenSpan(8, 12)), RATIO))
                .contains(new CoveredEntry(3, true));
    }

    @Test
    void noPlaceHasNoEntries() {
        assertThat(CoveredEntry.of(List.of(), RATIO)).isEmpty();
    }

    @Test
    void emptyAndReversedSpansAreRefused() {
        assertThatThrownBy(() -> new TokenSpan(3, 3)).hasMessageContaining("[3, 3)");
        assertThatThrownBy(() -> new TokenSpan(-1, 2)).hasMessageContaining("[-1, 2)");
    }
}
