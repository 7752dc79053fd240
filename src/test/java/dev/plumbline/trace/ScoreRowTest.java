package dev.plumbline.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScoreRowTest {
    private static final float NAN = Float.NaN;
    private static final float LOW = Float.NEGATIVE_INFINITY;

    @Test
    void rankAndMarginAreThoseAmongTheCandidates() {
        ScoreRow row = row(2, new float[] {3, 9, 1, 7}, 1, 3);

        assertThat(row.selected()).isEqualTo(2);
        assertThat(row.lowestSelected()).isEqualTo(7);
        assertThat(watch(row, 1)).isEqualTo(entry(1, true, 1, 0, 9, 2));
        assertThat(watch(row, 3)).isEqualTo(entry(3, true, 2, 0, 7, 0));
        assertThat(watch(row, 0)).isEqualTo(entry(0, false, 3, 0, 3, -4));
        assertThat(watch(row, 2)).isEqualTo(entry(2, false, 4, 0, 1, -6));
        assertThat(row.counts()).isEqualTo(new ScoreCounts(0, 0, 0, 0));
        assertThat(row.selectedIds()).containsExactly(1, 3);
    }

    @Test
    void anEntryThatIsNoCandidateYetHasNoRank() {
        EntryTrace later = watch(row(2, new float[] {3, 9, 1}, 0, 1), 3);
        assertThat(later.visible()).isFalse();
        assertThat(later.selected()).isFalse();
        assertThat(later.rank()).isZero();
        assertThat(later.score()).isNaN();
        assertThat(later.margin()).isNaN();
    }

    @Test
    void tiesAtTheCutAreCountedWhenTheyDecided() {
        ScoreRow dead = row(2, new float[] {0, -0f, 0, 0}, 0, 1);
        assertThat(dead.counts()).isEqualTo(new ScoreCounts(4, 0, 0, 4));
        assertThat(watch(dead, 3)).isEqualTo(entry(3, false, 1, 3, 0, 0));
        assertThat(watch(dead, 1)).isEqualTo(entry(1, true, 1, 3, -0f, 0));

        ScoreRow clean = row(2, new float[] {5, 5, 4}, 0, 1);
        assertThat(clean.counts().tiedAtCut()).isZero();
        assertThat(watch(clean, 0).tied()).isEqualTo(1);
    }

    @Test
    void scoresThatAreNoNumberCountAsMinusInfinity() {
        ScoreRow row = row(3, new float[] {NAN, 2, LOW, NAN}, 0, 1, 2);
        assertThat(row.counts()).isEqualTo(new ScoreCounts(0, 2, 1, 3));
        assertThat(row.lowestSelected()).isEqualTo(LOW);
        assertThat(watch(row, 3).rank()).isEqualTo(2);
        assertThat(watch(row, 3).tied()).isEqualTo(2);
        assertThat(watch(row, 3).score()).isNaN();
        assertThat(watch(row, 3).margin()).isNaN();
        assertThat(watch(row, 1).margin()).isEqualTo(Double.POSITIVE_INFINITY);
    }

    @Test
    void withinTheBudgetThereIsNoCut() {
        ScoreRow row = row(8, new float[] {1, 2}, 0, 1);
        assertThat(watch(row, 0).selected()).isTrue();
        assertThat(watch(row, 0).rank()).isEqualTo(2);
        assertThat(watch(row, 0).margin()).isNaN();
        assertThat(row.counts().tiedAtCut()).isZero();
    }

    @Test
    void aQueryWithoutCandidatesHasNothing() {
        ScoreRow row = row(8, new float[0]);
        assertThat(row.selected()).isZero();
        assertThat(row.lowestSelected()).isNaN();
        assertThat(row.counts()).isEqualTo(new ScoreCounts(0, 0, 0, 0));
        assertThat(row.selectedIds()).isEmpty();
    }

    @Test
    void manyWatchedEntriesGetTheRanksOfFew() {
        Random random = new Random(5);
        float[] scores = new float[200];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = i % 17 == 0 ? NAN : i % 13 == 0 ? LOW : random.nextInt(40) - 20;
        }
        int[] chosen = IntStream.range(0, scores.length)
                .boxed()
                .sorted(Comparator.comparing((Integer i) -> Float.isNaN(scores[i]) ? LOW : scores[i])
                        .reversed()
                        .thenComparing(i -> i))
                .limit(60)
                .mapToInt(i -> i)
                .sorted()
                .toArray();
        ScoreRow row = row(60, scores, chosen);
        List<CoveredEntry> all =
                IntStream.range(0, 210).mapToObj(i -> new CoveredEntry(i, true)).toList();

        List<EntryTrace> together = row.watch(all).entries();

        assertThat(together).hasSize(210);
        for (int i = 0; i < 210; i++) {
            assertThat(together.get(i)).isEqualTo(watch(row, i));
            assertThat(together.get(i).selected()).isEqualTo(Arrays.binarySearch(chosen, i) >= 0);
        }
    }

    @Test
    void aRowInsideLargerArraysIsReadAlone() {
        float[] scores = {99, 99, 1, 4, 2, 99};
        int[] ids = {7, 7, 1, -1, 7};
        ScoreRow row = new ScoreRow(scores, 2, 3, ids, 2, 3, 1);
        assertThat(row.selectedIds()).containsExactly(1);
        assertThat(watch(row, 2)).isEqualTo(entry(2, false, 2, 0, 2, -2));
    }

    @Test
    void aSelectionBeyondTheCandidatesIsRefused() {
        assertThatThrownBy(() -> row(2, new float[] {1, 2}, 0, 2)).hasMessageContaining("entry 2");
    }

    private static ScoreRow row(int budget, float[] scores, int... selected) {
        int[] ids = Arrays.copyOf(selected, selected.length + 1);
        ids[selected.length] = -1;
        return new ScoreRow(scores, 0, scores.length, ids, 0, ids.length, budget);
    }

    private static EntryTrace watch(ScoreRow row, int entry) {
        return row.watch(List.of(new CoveredEntry(entry, true))).entries().get(0);
    }

    private static EntryTrace entry(int id, boolean selected, int rank, int tied, float score, double margin) {
        return new EntryTrace(id, true, true, selected, rank, tied, score, margin, 0, 0);
    }
}
