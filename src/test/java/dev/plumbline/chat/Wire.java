package dev.plumbline.chat;

import dev.plumbline.testing.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Chat requests as bytes on a socket. */
record Wire(TestServer server) {
    private static final int PATIENCE_MILLIS = 60_000;

    /** A request's JSON; {@code more} is appended to its fields. */
    byte[] body(String content, int maxTokens, boolean stream, String more) {
        String messages = JsonMapper.shared().writeValueAsString(List.of(Map.of("role", "user", "content", content)));
        return ("{\"model\":\"" + server.target().name() + "\",\"messages\":" + messages + ",\"max_tokens\":"
                        + maxTokens + ",\"stream\":" + stream + more + "}")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** A connection on which the request has been sent. */
    Socket open(byte[] body) throws IOException {
        return open(body, body.length);
    }

    /** A connection on which a request of {@code length} bytes was announced and some of them were sent. */
    Socket open(byte[] body, int length) throws IOException {
        URI url = URI.create(server.url());
        Socket client = new Socket(url.getHost(), url.getPort());
        client.setSoTimeout(PATIENCE_MILLIS);
        OutputStream out = client.getOutputStream();
        out.write(("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Authorization: " + server.authorization() + "\r\nContent-Length: " + length
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.flush();
        return client;
    }

    /** Reads up to the last chunk of a chunked body, or to the end of the connection. */
    static String readToEnd(Socket client) throws IOException {
        InputStream in = client.getInputStream();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            all.write(buffer, 0, n);
            if (all.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n0\r\n\r\n")) {
                break;
            }
        }
        return all.toString(StandardCharsets.UTF_8);
    }
}
