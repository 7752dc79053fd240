package dev.plumbline.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where webhooks may lead. */
class NetworksTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.9.9.9",
                "0.0.0.0",
                "10.1.2.3",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "169.254.169.254",
                "100.64.0.1",
                "224.0.0.1",
                "255.255.255.255",
                "::1",
                "::",
                "fe80::1",
                "fec0::1",
                "fd00::1",
                "ff02::1",
                "::ffff:127.0.0.1",
                "::127.0.0.1",
                "64:ff9b::7f00:1",
                "2002:7f00:1::"
            })
    void whatIsNotPublicIsForbidden(String address) throws UnknownHostException {
        assertThat(new Networks("").allows(InetAddress.getByName(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1.1.1.1", "172.32.0.1", "172.15.255.255", "100.128.0.1", "193.99.144.80", "2606:4700::1111"})
    void whatIsPublicIsAllowed(String address) throws UnknownHostException {
        assertThat(new Networks("").allows(InetAddress.getByName(address))).isTrue();
    }

    @Test
    void theOperatorAllowsMore() throws UnknownHostException {
        Networks networks = new Networks(" 10.0.0.0/8, 127.0.0.1/32,fd00::/8 ");

        assertThat(networks.allows(InetAddress.getByName("10.200.0.1"))).isTrue();
        assertThat(networks.allows(InetAddress.getByName("127.0.0.1"))).isTrue();
        assertThat(networks.allows(InetAddress.getByName("fd12::1"))).isTrue();
        assertThat(networks.allows(InetAddress.getByName("127.0.0.2"))).isFalse();
        assertThat(networks.allows(InetAddress.getByName("1.1.1.1"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0", "localhost/8", "10.0.0.0/33", "10.0.0.0/8;11.0.0.0/8"})
    void aNetworkThatIsNoneIsRefused(String network) {
        assertThatThrownBy(() -> new Networks(network))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(network);
    }
}
