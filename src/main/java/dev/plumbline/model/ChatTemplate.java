package dev.plumbline.model;

import dev.plumbline.model.ChatMessage.Role;
import java.util.ArrayList;
import java.util.List;

/** Lays a conversation out as the release was trained on it (spec section 5), without tools. */
final class ChatTemplate {
    static final String BOS = "<｜begin▁of▁sentence｜>";
    static final String EOS = "<｜end▁of▁sentence｜>";
    static final String USER = "<｜User｜>";
    static final String ASSISTANT = "<｜Assistant｜>";
    static final String THINK = "<think>";
    static final String THINK_END = "</think>";

    private final List<ChatMessage> messages;
    private final boolean thinking;
    private final int lastQuestion;
    private final List<PromptPart> parts = new ArrayList<>();

    private ChatTemplate(List<ChatMessage> messages, ThinkingMode mode) {
        this.thinking = mode == ThinkingMode.THINKING;
        List<ChatMessage> merged = merge(messages);
        this.messages = thinking ? withoutEarlierDevelopers(merged) : merged;
        this.lastQuestion = lastQuestion(this.messages);
    }

    static List<PromptPart> layOut(List<ChatMessage> messages, ThinkingMode mode) {
        ChatTemplate template = new ChatTemplate(messages, mode);
        template.special(BOS);
        for (int i = 0; i < template.messages.size(); i++) {
            template.message(i);
        }
        return template.parts;
    }

    private void message(int i) {
        ChatMessage message = messages.get(i);
        switch (message.role()) {
            case SYSTEM -> text(message.content());
            case USER, DEVELOPER -> {
                special(USER);
                text(message.content());
            }
            case ASSISTANT -> {
                // Reasoning of earlier turns is dropped, and with it the tag: the transition has closed it already.
                if (thinking && i > lastQuestion) {
                    text(message.reasoning() == null ? "" : message.reasoning());
                    special(THINK_END);
                }
                text(message.content());
                special(EOS);
            }
        }
        boolean answerFollows = i + 1 == messages.size() || messages.get(i + 1).role() == Role.ASSISTANT;
        if (isQuestion(message) && answerFollows) {
            special(ASSISTANT);
            special(thinking && i >= lastQuestion ? THINK : THINK_END);
        }
    }

    private void special(String token) {
        parts.add(new PromptPart.Special(token));
    }

    /** Neighbouring texts are joined so that tokens may form across them, as in one string. */
    private void text(String text) {
        int last = parts.size() - 1;
        if (text.isEmpty()) {
            return;
        }
        if (last >= 0 && parts.get(last) instanceof PromptPart.Text before) {
            parts.set(last, new PromptPart.Text(before.text() + text));
        } else {
            parts.add(new PromptPart.Text(text));
        }
    }

    /** Consecutive user messages become one, blank lines between them. */
    private static List<ChatMessage> merge(List<ChatMessage> messages) {
        List<ChatMessage> merged = new ArrayList<>();
        for (ChatMessage message : messages) {
            int last = merged.size() - 1;
            if (message.role() == Role.USER && last >= 0 && merged.get(last).role() == Role.USER) {
                String joined = merged.get(last).content() + "\n\n" + message.content();
                merged.set(last, new ChatMessage(Role.USER, joined));
            } else {
                merged.add(message);
            }
        }
        return merged;
    }

    private static List<ChatMessage> withoutEarlierDevelopers(List<ChatMessage> messages) {
        int last = lastQuestion(messages);
        List<ChatMessage> kept = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            if (i >= last || messages.get(i).role() != Role.DEVELOPER) {
                kept.add(messages.get(i));
            }
        }
        return kept;
    }

    /** Index of the last user or developer message, -1 if there is none. */
    private static int lastQuestion(List<ChatMessage> messages) {
        for (int i = messages.size() - 1; i >= 0; i--) {
            if (isQuestion(messages.get(i))) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isQuestion(ChatMessage message) {
        return message.role() == Role.USER || message.role() == Role.DEVELOPER;
    }
}
