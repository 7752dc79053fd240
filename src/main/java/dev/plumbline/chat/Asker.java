package dev.plumbline.chat;

import dev.plumbline.usage.Charge;

/**
 * Who asks for an answer.
 *
 * @param owner whose history it goes to
 * @param charge what it uses
 */
record Asker(String owner, Charge charge) {}
