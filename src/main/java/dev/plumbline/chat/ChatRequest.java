package dev.plumbline.chat;

import dev.plumbline.engine.GenerationRequest;
import dev.plumbline.engine.SamplingParameters;
import dev.plumbline.runconfig.ConfigChoice;
import dev.plumbline.runconfig.RunConfigRef;
import dev.plumbline.runconfig.SamplingDefaults;
import dev.plumbline.target.ChatPrompt;
import java.util.Set;

/**
 * A checked chat completion request.
 *
 * @param model name of the model as the client wrote it
 * @param prompt what to generate
 * @param stream whether the answer is streamed
 * @param includeUsage whether a stream ends with its usage
 * @param history what is to be continued and stored
 * @param runConfig the run config that is to answer; null takes what the server serves
 * @param given names of the sampling fields that the request has
 */
record ChatRequest(
        String model,
        ChatPrompt prompt,
        boolean stream,
        boolean includeUsage,
        HistoryOptions history,
        RunConfigRef runConfig,
        Set<String> given) {

    /** The request as it is answered: on the lane of its run config, with the sampling that this gives it. */
    ChatRequest under(ConfigChoice choice) {
        SamplingDefaults defaults = choice.sampling();
        SamplingParameters own = prompt.sampling();
        SamplingParameters sampling = new SamplingParameters(
                given("temperature") ? own.temperature() : or(defaults.temperature(), own.temperature()),
                given("top_p") ? own.topP() : SamplingParser.nucleus(or(defaults.topP(), own.topP())),
                own.seed(),
                given("presence_penalty")
                        ? own.presencePenalty()
                        : or(defaults.presencePenalty(), own.presencePenalty()),
                given("frequency_penalty")
                        ? own.frequencyPenalty()
                        : or(defaults.frequencyPenalty(), own.frequencyPenalty()),
                own.logitBias());
        boolean limited =
                given("max_completion_tokens") || given("max_tokens") || defaults.maxCompletionTokens() == null;
        int maxTokens = limited ? prompt.maxTokens() : defaults.maxCompletionTokens();
        ChatPrompt under = new ChatPrompt(
                prompt.messages(),
                prompt.thinking(),
                maxTokens,
                sampling,
                prompt.stop(),
                prompt.choices(),
                prompt.topLogProbabilities(),
                choice.lane(),
                prompt.selection());
        return new ChatRequest(model, under, stream, includeUsage, history, runConfig, given);
    }

    private boolean given(String field) {
        return given.contains(field);
    }

    private static float or(Double configured, float otherwise) {
        return configured == null ? otherwise : configured.floatValue();
    }

    /** Whether the answer is to have log-probabilities. */
    boolean logprobs() {
        return prompt.topLogProbabilities() != GenerationRequest.NO_LOG_PROBABILITIES;
    }
}
