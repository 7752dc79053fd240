package dev.plumbline.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code chat}: asks a running server from the terminal. */
@Command(
        name = "chat",
        mixinStandardHelpOptions = true,
        description = "Asks a running server; without a question, a conversation on the terminal.")
final class ChatCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8000",
            description = "The server (default: ${DEFAULT-VALUE}).")
    private URI url;

    @Option(names = "--key", paramLabel = "KEY", description = "API key (default: PLUMBLINE_API_KEY).")
    private String key;

    @Option(names = "--file", paramLabel = "FILE", description = "Text to ask about; goes before the first question.")
    private Path file;

    @Option(names = "--system", paramLabel = "TEXT", description = "System message.")
    private String system;

    @Option(
            names = "--max-tokens",
            paramLabel = "N",
            defaultValue = "512",
            description = "Most tokens of an answer (default: ${DEFAULT-VALUE}).")
    private int maxTokens;

    @Option(
            names = "--temperature",
            paramLabel = "T",
            defaultValue = "0",
            description = "0 to 2 (default: 0, the most probable answer).")
    private double temperature;

    @Option(
            names = "--run-config",
            paramLabel = "NAME",
            description = "Run config that answers, NAME or NAME@VERSION (default: what the server serves).")
    private String runConfig;

    @Parameters(paramLabel = "QUESTION", arity = "0..*", description = "What to ask.")
    private List<String> question = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        ChatClient client = new ChatClient(url, key(), maxTokens, temperature, runConfig);
        Conversation conversation = new Conversation(system, file == null ? null : text(file));
        if (!question.isEmpty()) {
            ask(client, conversation, String.join(" ", question), out);
        } else {
            converse(client, conversation, out);
        }
        return 0;
    }

    private void converse(ChatClient client, Conversation conversation, PrintWriter out)
            throws IOException, InterruptedException {
        boolean terminal = System.console() != null;
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (true) {
            if (terminal) {
                out.print("> ");
                out.flush();
            }
            String line = in.readLine();
            if (line == null) {
                return;
            }
            if (!line.isBlank()) {
                ask(client, conversation, line, out);
            }
        }
    }

    private static void ask(ChatClient client, Conversation conversation, String question, PrintWriter out)
            throws IOException, InterruptedException {
        conversation.ask(question);
        String answer = client.answer(conversation.messages(), text -> {
            out.print(text);
            out.flush();
        });
        out.println();
        out.flush();
        conversation.answered(answer);
    }

    private String key() {
        String chosen = key != null ? key : System.getenv("PLUMBLINE_API_KEY");
        if (chosen == null || chosen.isBlank()) {
            throw new CliException("no API key; give --key or set PLUMBLINE_API_KEY to the key that serve printed");
        }
        return chosen;
    }

    private static String text(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw new CliException(file + " is not UTF-8 text");
        } catch (IOException e) {
            throw new CliException(file + " cannot be read: " + e.getClass().getSimpleName());
        }
    }
}
