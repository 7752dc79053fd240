package dev.plumbline.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FreeListTest {

    @Test
    void everyNumberHasOneHolderAtATime() {
        FreeList list = new FreeList(3);
        int[] first = list.take(2);
        int[] second = list.take(1);

        assertThat(first).doesNotContain(second);
        assertThat(list.free()).isZero();
        list.give(first);
        assertThat(list.take(2)).containsExactlyInAnyOrder(first);
    }

    @Test
    void takingMoreThanIsFreeOrGivingTwiceIsAnError() {
        FreeList list = new FreeList(1);
        assertThatThrownBy(() -> list.take(2)).hasMessage("2 wanted, 1 free");
        int[] only = list.take(1);
        list.give(only);
        assertThatThrownBy(() -> list.give(only)).hasMessageContaining("twice");
    }

    @Test
    void aNumberIsFreeOnceNobodyHoldsOrKeepsIt() {
        FreeList list = new FreeList(2);
        int[] shared = list.take(1);
        list.keep(shared);
        list.give(shared);
        assertThat(list.free()).isEqualTo(1);
        assertThat(list.held()).isZero();

        list.hold(shared);
        list.hold(shared);
        list.letGo(shared);
        list.give(shared);
        assertThat(list.held()).isEqualTo(1);
        list.give(shared);

        assertThat(list.free()).isEqualTo(2);
        assertThatThrownBy(() -> list.hold(shared)).hasMessageContaining("is free");
        assertThatThrownBy(() -> list.keep(shared)).hasMessageContaining("is free");
        assertThatThrownBy(() -> list.letGo(shared)).hasMessageContaining("kept by nobody");
    }
}
