package dev.plumbline.recall.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FeedTest {
    private final Feed feed = new Feed();

    @Test
    void theFirstCellOfATextGoesAloneAndTheOthersFollowItsAnswer() {
        feed.add(List.of(4, 5, 6));
        feed.add(List.of(8, 9));

        assertThat(feed.next()).isEqualTo(4);
        assertThat(feed.next()).isEqualTo(8);
        assertThat(feed.ready()).isFalse();
        assertThat(feed.asked()).isEqualTo(2);
        feed.answered(8);
        assertThat(feed.next()).isEqualTo(9);
        assertThat(feed.ready()).isFalse();
        feed.answered(4);
        assertThat(feed.next()).isEqualTo(5);
        assertThat(feed.next()).isEqualTo(6);
        assertThat(feed.empty()).isFalse();
        List.of(5, 6, 9).forEach(feed::answered);
        assertThat(feed.empty()).isTrue();
    }
}
