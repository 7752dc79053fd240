package dev.plumbline.recall.remote;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Addresses that targets may have. Whoever may enter a target makes this server send requests to it, so what an operator
 * has no use for is closed. The address is looked at when it is connected to, whatever the name resolved to before.
 */
public enum TargetNetworks {
    /** Addresses of the internet only. */
    PUBLIC,
    /** Those, this machine's own and those of private networks; not link-local ones, where clouds keep credentials. */
    PRIVATE,
    /** Every address. */
    ANY;

    /** The variable that chooses. */
    public static final String VARIABLE = "PLUMBLINE_TARGETS";

    /** The same as a setting. */
    static final String SETTING = "plumbline.targets";

    private static final int UNIQUE_LOCAL_MASK = 0xFE;
    private static final int UNIQUE_LOCAL = 0xFC;
    private static final int SHARED_FIRST = 100;
    private static final int SHARED_SECOND = 64;
    private static final int SHARED_MASK = 0xC0;
    private static final int RESERVED = 240;

    /**
     * Reads the setting.
     *
     * @param text null for the default
     * @throws IllegalArgumentException naming what is allowed
     */
    public static TargetNetworks of(String text) {
        if (text == null) {
            return PRIVATE;
        }
        return Arrays.stream(values())
                .filter(networks -> networks.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(VARIABLE + " is '" + text + "'; allowed: "
                        + Arrays.stream(values()).map(TargetNetworks::text).collect(Collectors.joining(", "))));
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean allow(InetAddress address) {
        if (this == ANY) {
            return true;
        }
        if (address.isAnyLocalAddress()
                || address.isMulticastAddress()
                || address.isLinkLocalAddress()
                || odd(address)) {
            return false;
        }
        return this == PRIVATE || !(address.isLoopbackAddress() || inside(address));
    }

    /** Private networks of IPv4 (RFC 1918, RFC 6598) and IPv6 (RFC 4193). */
    private static boolean inside(InetAddress address) {
        byte[] bytes = address.getAddress();
        boolean shared = address instanceof Inet4Address
                && Byte.toUnsignedInt(bytes[0]) == SHARED_FIRST
                && (bytes[1] & SHARED_MASK) == SHARED_SECOND;
        boolean uniqueLocal = address instanceof Inet6Address && (bytes[0] & UNIQUE_LOCAL_MASK) == UNIQUE_LOCAL;
        return address.isSiteLocalAddress() || shared || uniqueLocal;
    }

    /** "This network" and what is reserved: nothing that serves a model. */
    private static boolean odd(InetAddress address) {
        int first = Byte.toUnsignedInt(address.getAddress()[0]);
        return address instanceof Inet4Address && (first == 0 || first >= RESERVED);
    }
}
