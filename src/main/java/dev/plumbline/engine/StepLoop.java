package dev.plumbline.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Continuous batching over all lanes: a step takes the decode token of every running sequence and up to one chunk of
 * waiting prompt, oldest first and the background last, so a long prompt delays a running stream by at most one chunk. Every lane computes its
 * part of the step, and the host waits once for all. Runs on one thread.
 */
final class StepLoop {
    private final int maxSequences;
    private final Deque<Sequence> waiting = new ArrayDeque<>();
    private final List<Sequence> running = new ArrayList<>();
    private final List<SubBatch> parts = new ArrayList<>();
    private boolean changed;

    StepLoop(int maxSequences) {
        this.maxSequences = maxSequences;
    }

    /** Queues a sequence that has a lane, open or not yet. */
    void enqueue(Sequence sequence) {
        sequence.handle().enter();
        waiting.add(sequence);
        changed = true;
    }

    boolean idle() {
        return waiting.isEmpty() && running.isEmpty();
    }

    /** Whether nothing runs and all that waits does so for lanes that are not open. */
    boolean stalled() {
        return running.isEmpty()
                && waiting.stream()
                        .noneMatch(sequence -> sequence.cancelled()
                                || sequence.handle().open()
                                || sequence.handle().failure() != null);
    }

    /** Whether what runs or waits has changed since this was asked last. */
    boolean takeChanged() {
        boolean since = changed;
        changed = false;
        return since;
    }

    int running() {
        return running.size();
    }

    int waiting() {
        return waiting.size();
    }

    /** Runs one step: drops what was cancelled, admits what fits, computes, samples, emits. */
    void step() {
        dropEnded();
        admit();
        gather();
        launch();
        if (collect()) {
            running.forEach(Sequence::reportTrace);
            running.forEach(StepLoop::keepPrompt);
            parts.forEach(part -> part.emit(this::end));
        }
        parts.forEach(SubBatch::clear);
        parts.clear();
    }

    private void dropEnded() {
        waiting.removeIf(sequence -> {
            // Read once: a cancel between two reads would drop the sequence without telling its listener.
            boolean drop = sequence.cancelled();
            RuntimeException failure = sequence.handle().failure();
            if (drop) {
                finish(sequence, FinishReason.CANCELLED);
            } else if (failure != null) {
                fail(sequence, failure);
            }
            return drop || failure != null;
        });
        for (int i = running.size() - 1; i >= 0; i--) {
            if (running.get(i).cancelled()) {
                end(running.get(i), FinishReason.CANCELLED);
            }
        }
    }

    /** In order of arrival, but a lane that is full or not open yet holds up nobody else, and the background comes last. */
    private void admit() {
        if (waiting.isEmpty()) {
            return;
        }
        Set<LaneHandle> full = new HashSet<>();
        admit(full, false);
        admit(full, true);
    }

    private void admit(Set<LaneHandle> full, boolean background) {
        waiting.removeIf(sequence -> {
            LaneHandle lane = sequence.handle();
            if (sequence.background() != background
                    || running.size() >= maxSequences
                    || !lane.open()
                    || full.contains(lane)) {
                return false;
            }
            SequenceCache room = lane.batch().lane().lease(sequence);
            if (room == null) {
                full.add(lane);
                return false;
            }
            lane.admitted();
            sequence.admitted(room);
            running.add(background ? running.size() : firstInBackground(), sequence);
            changed = true;
            return true;
        });
    }

    private int firstInBackground() {
        int first = 0;
        while (first < running.size() && !running.get(first).background()) {
            first++;
        }
        return first;
    }

    /** Prompts go on in the order of those who run: whoever comes first gets the chunk. */
    private void gather() {
        int prompt = -1;
        for (Sequence sequence : running) {
            SubBatch part = sequence.handle().batch();
            int tokens = 0;
            if (!sequence.decoding()) {
                prompt = prompt < 0 ? part.promptRoom() : prompt;
                tokens = Math.min(Math.min(prompt, part.promptRoom()), part.remaining(sequence));
                if (tokens == 0) {
                    continue;
                }
                prompt -= tokens;
            }
            if (part.isEmpty()) {
                parts.add(part);
            }
            part.add(sequence, tokens);
        }
    }

    /** A lane whose part is refused fails its own sequences only. */
    private void launch() {
        for (SubBatch part : List.copyOf(parts)) {
            try {
                part.launch();
            } catch (RuntimeException failure) {
                part.clear();
                parts.remove(part);
                failRunning(sequence -> sequence.handle().batch() == part, failure);
            }
        }
    }

    /** Whether the step succeeded; what fails only here may have failed in any part. */
    private boolean collect() {
        try {
            parts.forEach(SubBatch::collect);
            return true;
        } catch (RuntimeException failure) {
            failRunning(sequence -> parts.contains(sequence.handle().batch()), failure);
            return false;
        }
    }

    private static void keepPrompt(Sequence sequence) {
        Lane lane = sequence.handle().batch().lane();
        if (lane.prefixes != null && sequence.tookChunkEnd(lane.profile.prefillChunk())) {
            lane.prefixes.keep(sequence.cache(), sequence.computed());
        }
    }

    private void end(Sequence sequence, FinishReason reason) {
        Lane lane = sequence.handle().batch().lane();
        if (lane.prefixes != null && reason != FinishReason.CANCELLED) {
            // The next turn goes on behind this answer.
            lane.prefixes.keep(sequence.cache(), sequence.computed());
        }
        release(sequence);
        finish(sequence, reason);
    }

    private void release(Sequence sequence) {
        running.remove(sequence);
        sequence.handle().pools().release(sequence.cache());
        sequence.handle().ended();
    }

    private void finish(Sequence sequence, FinishReason reason) {
        changed = true;
        sequence.handle().leave();
        sequence.listener().onFinished(reason);
    }

    private void fail(Sequence sequence, RuntimeException failure) {
        changed = true;
        sequence.handle().leave();
        sequence.listener().onFailed(failure);
    }

    private void failRunning(Predicate<Sequence> which, RuntimeException failure) {
        for (Sequence sequence : List.copyOf(running)) {
            if (which.test(sequence)) {
                release(sequence);
                fail(sequence, failure);
            }
        }
    }

    /** Fails everything that runs or waits. */
    void failAll(RuntimeException failure) {
        failRunning(sequence -> true, failure);
        while (!waiting.isEmpty()) {
            fail(waiting.remove(), failure);
        }
    }
}
