package dev.plumbline.recall.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where targets may be. */
class TargetUrlTest {

    @ParameterizedTest
    @CsvSource({
        "http://10.0.0.7:30000/v1, http://10.0.0.7:30000",
        "HTTPS://Models.example.com/, https://models.example.com",
        "https://gate.example.com/team%20a/v1/, https://gate.example.com/team%20a",
        "'  http://[::1]:8000  ', http://[::1]:8000"
    })
    void whatIsKeptHasNoEndThatEveryPathBringsAlong(String entered, String kept) {
        assertThat(TargetUrl.of(entered, TargetNetworks.PRIVATE)).isEqualTo(kept);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://10.0.0.7",
                "file:///etc/passwd",
                "10.0.0.7:30000",
                "http:///v1",
                "http://host:99999",
                "http://host?x=1",
                "http://host/#top",
                "http://under_score",
                "http://a b",
                "jar:http://host!/x"
            })
    void othersAreRefusedWithWhatIsAllowed(String entered) {
        assertThatThrownBy(() -> TargetUrl.of(entered, TargetNetworks.ANY))
                .isInstanceOfSatisfying(TargetException.class, refused -> {
                    assertThat(refused.field()).isEqualTo("url");
                    assertThat(refused.getMessage()).contains("allowed: http:// or https://");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://me:pass4492@host", "http://me:pass4492@ho st"})
    void aPasswordInAUrlIsRefusedAndNotRepeated(String entered) {
        assertThatThrownBy(() -> TargetUrl.of(entered, TargetNetworks.ANY))
                .isInstanceOf(TargetException.class)
                .message()
                .doesNotContain("pass4492");
    }

    @ParameterizedTest
    @CsvSource({
        "8.8.8.8, true, true",
        "10.1.2.3, true, false",
        "172.16.0.1, true, false",
        "192.168.1.1, true, false",
        "100.64.0.1, true, false",
        "100.128.0.1, true, true",
        "127.0.0.1, true, false",
        "::1, true, false",
        "fd00::1, true, false",
        "2001:4860:4860::8888, true, true",
        "169.254.169.254, false, false",
        "::ffff:169.254.169.254, false, false",
        "fe80::1, false, false",
        "0.0.0.0, false, false",
        "0.1.2.3, false, false",
        "::, false, false",
        "224.0.0.1, false, false",
        "255.255.255.255, false, false"
    })
    void theSettingSaysWhichAddressesAreAllowed(String address, boolean inPrivate, boolean inPublic) throws Exception {
        InetAddress parsed = InetAddress.getByName(address);

        assertThat(TargetNetworks.PRIVATE.allow(parsed)).isEqualTo(inPrivate);
        assertThat(TargetNetworks.PUBLIC.allow(parsed)).isEqualTo(inPublic);
        assertThat(TargetNetworks.ANY.allow(parsed)).isTrue();
    }

    @Test
    void anAddressThatIsNotAllowedIsRefusedWhenItIsEntered() {
        assertThatThrownBy(() -> TargetUrl.of("http://169.254.169.254/latest", TargetNetworks.PRIVATE))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("PLUMBLINE_TARGETS=private");
        assertThatThrownBy(() -> TargetUrl.of("http://[::ffff:a9fe:a9fe]/", TargetNetworks.PRIVATE))
                .isInstanceOf(TargetException.class);
    }

    @Test
    void aKeyBelongsToSchemeHostAndPort() {
        assertThat(TargetUrl.origin("https://a.example.com/x"))
                .isEqualTo(TargetUrl.origin("https://a.example.com:443"));
        assertThat(TargetUrl.origin("http://a.example.com")).isNotEqualTo(TargetUrl.origin("https://a.example.com"));
        assertThat(TargetUrl.origin("http://a.example.com:1")).isNotEqualTo(TargetUrl.origin("http://a.example.com:2"));
    }

    @Test
    void aWrongSettingIsRefusedWithWhatIsAllowed() {
        assertThatThrownBy(() -> TargetNetworks.of("lan"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("PLUMBLINE_TARGETS is 'lan'; allowed: public, private, any");
    }
}
