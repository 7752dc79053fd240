package dev.plumbline.runconfig;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

/** The name of this server among those of its database. */
public final class Instance {
    private static final int DIGITS = 8;

    private Instance() {}

    /** A new name: machine, process and some digits of its own. */
    public static String create() {
        String random = UUID.randomUUID().toString().substring(0, DIGITS);
        return host() + ":" + ProcessHandle.current().pid() + ":" + random;
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
