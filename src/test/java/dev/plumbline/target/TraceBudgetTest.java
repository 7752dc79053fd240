package dev.plumbline.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TraceBudgetTest {

    @Test
    void roomIsTakenUpToTheLimitAndGivenBackOnce() {
        TraceBudget budget = new TraceBudget(100);
        TraceBudget.Room first = budget.take(60);
        budget.take(40);

        assertThatThrownBy(() -> budget.take(1))
                .isInstanceOf(TracesFullException.class)
                .hasMessageContaining("100 bytes together")
                .hasMessageContaining("need 1");
        assertThat(budget.used()).isEqualTo(100);

        first.giveBack();
        first.giveBack();
        assertThat(budget.used()).isEqualTo(40);
        budget.take(60);
    }

    @Test
    void theLargestTraceAlwaysFitsAnIdleServer() {
        new TraceBudget().take(TraceSize.MOST).giveBack();
    }
}
