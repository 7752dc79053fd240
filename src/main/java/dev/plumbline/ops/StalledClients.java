package dev.plumbline.ops;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.stereotype.Component;
import reactor.netty.http.server.HttpServer;

/**
 * Ends the connections of clients that take nothing of what is written to them: each would keep its place among the
 * running and waiting answers for ever. A slow client that takes a little at a time is none of them.
 */
@Component
final class StalledClients implements NettyServerCustomizer {
    private static final Logger LOG = LoggerFactory.getLogger(StalledClients.class);

    private final long periodMillis;

    /** A client has {@code patience} at least, and half of it more at most. */
    StalledClients(@Value("${plumbline.stalled-client:60s}") Duration patience) {
        this.periodMillis = patience.toMillis() / 2;
    }

    @Override
    public HttpServer apply(HttpServer server) {
        return server.doOnConnection(connection -> watch(connection.channel()));
    }

    private void watch(Channel channel) {
        Watch watch = new Watch(channel);
        ScheduledFuture<?> checks = channel.eventLoop()
                .scheduleAtFixedRate(watch::check, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(closed -> checks.cancel(false));
    }

    /** Looks at a connection's output from time to time, on the connection's own thread. */
    private static final class Watch {
        private final Channel channel;
        private Object message;
        private long waiting;
        private long progress;
        private int unchanged;

        Watch(Channel channel) {
            this.channel = channel;
        }

        void check() {
            ChannelOutboundBuffer output = channel.unsafe().outboundBuffer();
            long bytes = output == null ? 0 : output.totalPendingWriteBytes();
            if (bytes == 0) {
                message = null;
                unchanged = 0;
                return;
            }
            boolean same = output.current() == message && bytes == waiting && output.currentProgress() == progress;
            message = output.current();
            waiting = bytes;
            progress = output.currentProgress();
            unchanged = same ? unchanged + 1 : 0;
            if (unchanged == 2) {
                LOG.info("A client that reads nothing was disconnected; {} bytes waited for it", bytes);
                channel.close();
            }
        }
    }
}
