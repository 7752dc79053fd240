package dev.plumbline.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeyTest {
    @Test
    void onlyTheKeyItselfMatches() {
        ApiKey key = ApiKey.of("secret-1");

        assertThat(key.matches("secret-1")).isTrue();
        assertThat(key.matches("secret-2")).isFalse();
        assertThat(key.matches("secret-1 ")).isFalse();
        assertThat(key.matches("")).isFalse();
    }

    @Test
    void theKeyIsNotKept() {
        assertThat(ApiKey.of("secret-1").toString()).doesNotContain("secret");
        assertThat(ApiKey.of("secret-1"))
                .hasNoNullFieldsOrProperties()
                .extracting("hash")
                .isInstanceOf(byte[].class);
    }

    @Test
    void madeKeysAreUsableAndNeverEqual() {
        Set<String> made = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            String key = ApiKey.random();
            assertThat(key).hasSizeGreaterThan(30);
            assertThat(ApiKey.of(key).matches(key)).isTrue();
            made.add(key);
        }
        assertThat(made).hasSize(100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "two words", "line\nbreak", "schlüssel"})
    void whatNoHeaderCarriesIsRefused(String key) {
        assertThatThrownBy(() -> ApiKey.of(key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("visible ASCII");
    }
}
