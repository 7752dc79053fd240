package dev.plumbline.recall.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

/** What runs keep of a server that failed. */
class ServerWordsTest {
    private static final ServerWords WORDS = new ServerWords("sk-secret", "lab.internal", null, null);

    @Test
    void neitherKeyNorAddressIsSaid() {
        assertThat(WORDS.failure(new SSLException("No subject alternative DNS name matching LAB.internal found."))
                        .getMessage())
                .isEqualTo("TLS failed: No subject alternative DNS name matching [host] found.");
        assertThat(WORDS.failure(new IOException("reset: lab.internal/10.0.0.7:30000 after sk-secret"))
                        .getMessage())
                .isEqualTo("the connection broke: reset: [host] after [key]");
        assertThat(WORDS.quoted("http://lab.internal:8000/v1, collab.internal"))
                .isEqualTo("http://[host]/v1, collab.internal");
    }
}
