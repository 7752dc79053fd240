package dev.plumbline.cli;

import dev.plumbline.engine.Generation;
import dev.plumbline.engine.GenerationRequest;
import dev.plumbline.engine.LaneFacts;
import dev.plumbline.engine.LaneKey;
import dev.plumbline.engine.SamplingParameters;
import dev.plumbline.target.NativeTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Switches from one run config to another while streams run, and measures what both sides notice of it. */
final class BenchSwitch {
    /** Tokens of each stream that tell what is normal. */
    static final int NORMAL = 96;

    /** Tokens of each stream that tell what a new request alone does to them: about as many as come during a switch. */
    static final int ARRIVAL = 32;

    /** Most tokens of a stream; it is cancelled long before. */
    static final int MOST = 4096;

    private static final int SHORT_PROMPT = 64;

    private final NativeTarget target;
    private final LaneKey from;
    private final LaneKey to;
    private final BenchRun prompts;

    BenchSwitch(NativeTarget target, LaneKey from, LaneKey to) {
        this.target = target;
        this.from = from;
        this.to = to;
        this.prompts = new BenchRun(target, from);
    }

    /** One switch; the lane that it goes to is always a new one. */
    SwitchSample run(int number, int length, int streams) {
        target.activate(from).block();
        int room = Math.min(MOST, target.status().maxContext() - length);
        List<WatchedStream> watched = new ArrayList<>();
        List<Generation> running = new ArrayList<>();
        for (int[] prompt : prompts.prompts(length, streams)) {
            WatchedStream stream = new WatchedStream();
            watched.add(stream);
            running.add(target.engine().submit(request(prompt, room), stream));
        }
        long normalFrom = awaitAll(watched, 1);
        awaitAll(watched, watched.stream().mapToInt(WatchedStream::count).max().orElseThrow() + NORMAL);
        long arrival = System.nanoTime();
        WatchedStream alone = new WatchedStream();
        target.engine().submit(request(shortPrompt(length), 1), alone);
        alone.await(1);
        awaitAll(watched, watched.stream().mapToInt(WatchedStream::count).max().orElseThrow() + ARRIVAL);

        int[] shortPrompt = shortPrompt(length);
        long wish = System.nanoTime();
        LaneFacts facts = target.engine()
                .activate(new LaneKey(to.label() + "#" + number, to.profile()))
                .join();
        long active = System.nanoTime();
        WatchedStream first = new WatchedStream();
        Generation generation = target.engine().submit(request(shortPrompt, 1), first);
        long firstToken = first.await(1);
        watched.forEach(stream -> stream.await(stream.count() + 1));

        if (!generation.lane().equals(facts.key())) {
            throw new CliException("a request after the switch was answered by " + generation.lane());
        }
        running.forEach(Generation::cancel);
        watched.forEach(WatchedStream::join);
        return SwitchSample.of(
                facts.tensorReads(),
                wish,
                active,
                firstToken,
                gaps(watched, normalFrom, arrival),
                gaps(watched, arrival, wish),
                gaps(watched, wish, firstToken));
    }

    private int[] shortPrompt(int length) {
        return Arrays.copyOf(prompts.prompts(length, 1).get(0), Math.min(length, SHORT_PROMPT));
    }

    private static GenerationRequest request(int[] prompt, int maxTokens) {
        return new GenerationRequest(prompt, maxTokens, SamplingParameters.greedy(), Set.of(), 0);
    }

    /** When the last stream had so many tokens. */
    private static long awaitAll(List<WatchedStream> streams, int tokens) {
        return streams.stream().mapToLong(stream -> stream.await(tokens)).max().orElseThrow();
    }

    private static long[] gaps(List<WatchedStream> streams, long from, long to) {
        return streams.stream().flatMapToLong(stream -> stream.gaps(from, to)).toArray();
    }
}
