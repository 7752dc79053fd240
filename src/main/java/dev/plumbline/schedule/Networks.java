package dev.plumbline.schedule;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where webhooks may lead: to public addresses, and to those that the operator allows. Whoever may make schedules could
 * otherwise reach what only this machine reaches, such as a cloud's metadata.
 */
final class Networks {
    private static final int ANY_PORT = 1;

    /** What IANA's registries call not globally reachable, and ways to write such an IPv4 address in IPv6. */
    private static final List<IpSubnetFilterRule> RESERVED = Stream.of(
                    "0.0.0.0/8",
                    "10.0.0.0/8",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    "169.254.0.0/16",
                    "172.16.0.0/12",
                    "192.0.0.0/24",
                    "192.0.2.0/24",
                    "192.88.99.0/24",
                    "192.168.0.0/16",
                    "198.18.0.0/15",
                    "198.51.100.0/24",
                    "203.0.113.0/24",
                    "224.0.0.0/3",
                    "::/96",
                    "64:ff9b::/96",
                    "64:ff9b:1::/48",
                    "100::/64",
                    "2001::/23",
                    "2001:db8::/32",
                    "2002::/16",
                    "fc00::/7",
                    "fe80::/9",
                    "ff00::/8")
            .map(Networks::rule)
            .toList();

    private final List<IpSubnetFilterRule> allowed;

    /**
     * Allows some networks beside public ones.
     *
     * @param networks such as {@code 10.0.0.0/8, 127.0.0.1/32}; may be empty
     * @throws IllegalArgumentException naming the part that is none
     */
    Networks(String networks) {
        this.allowed = Stream.of(networks.split(","))
                .map(String::strip)
                .filter(network -> !network.isEmpty())
                .map(Networks::parse)
                .toList();
    }

    private static IpSubnetFilterRule parse(String network) {
        try {
            if (network.matches("[0-9a-fA-F.:]+/[0-9]{1,3}")) {
                return rule(network);
            }
        } catch (RuntimeException e) {
            // Refused below.
        }
        throw new IllegalArgumentException("plumbline.webhook-networks has '" + network
                + "'; allowed: networks such as 10.0.0.0/8 or 127.0.0.1/32, with commas between them");
    }

    private static IpSubnetFilterRule rule(String network) {
        int slash = network.indexOf('/');
        return new IpSubnetFilterRule(
                network.substring(0, slash), Integer.parseInt(network.substring(slash + 1)), IpFilterRuleType.ACCEPT);
    }

    /** Whether events may be sent there. */
    boolean allows(InetAddress address) {
        InetSocketAddress socket = new InetSocketAddress(address, ANY_PORT);
        return allowed.stream().anyMatch(rule -> rule.matches(socket))
                || RESERVED.stream().noneMatch(rule -> rule.matches(socket));
    }
}
