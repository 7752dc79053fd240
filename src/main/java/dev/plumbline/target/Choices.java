package dev.plumbline.target;

import dev.plumbline.engine.Generation;
import dev.plumbline.target.ChatEvent.Finished;
import java.util.List;
import java.util.function.IntConsumer;

/** The choices of one answer as their events come in, mixed; a choice that a stop string ended ends its generation. */
final class Choices {
    private final List<AnswerAssembler> assemblers;
    private final IntConsumer tokenWatch;
    private final Generation[] generations;
    private final boolean[] finished;
    private int open;

    /** One assembler per choice, by index; {@code tokenWatch} gets the choice of every token as it comes. */
    Choices(List<AnswerAssembler> assemblers, IntConsumer tokenWatch) {
        this.assemblers = assemblers;
        this.tokenWatch = tokenWatch;
        this.generations = new Generation[assemblers.size()];
        this.finished = new boolean[assemblers.size()];
        this.open = assemblers.size();
    }

    List<ChatEvent> accept(EngineFlux.Event event) {
        int choice = event.choice();
        if (event instanceof EngineFlux.Queued queued) {
            generations[choice] = queued.generation();
        }
        if (event instanceof EngineFlux.Token && !finished[choice]) {
            tokenWatch.accept(choice);
        }
        List<ChatEvent> events =
                finished[choice] ? List.of() : assemblers.get(choice).accept(event);
        if (events.stream().anyMatch(Finished.class::isInstance)) {
            finished[choice] = true;
            open--;
        }
        if (finished[choice] && generations[choice] != null) {
            // Of no effect on a generation that ended by itself.
            generations[choice].cancel();
        }
        return events;
    }

    /** Whether every choice is finished. */
    boolean done() {
        return open == 0;
    }
}
