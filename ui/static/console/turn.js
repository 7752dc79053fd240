/** One turn of a conversation on the page. */
import { count, element } from "../shared/dom.js";
import { selectionTable } from "./selection.js";

const NAMES = { user: "You", assistant: "Model", system: "System prompt", developer: "Developer" };

export class Turn {
  #text = element("div", { class: "turn-text" });
  #reasoning = element("div", { class: "turn-text" });
  #thoughts = element("details", { class: "reasoning", hidden: true }, element("summary", {}, "Reasoning"), this.#reasoning);
  #badge = element("span", { class: "badge", hidden: true });
  #facts = element("span", { class: "turn-facts numbers" });
  #problem = element("p", { class: "problem", role: "alert", hidden: true });
  #waiting = { content: "", reasoning: "" };
  #drawing = false;

  constructor(role) {
    if (role !== "assistant") {
      // A long text scrolls in itself, by keyboard too.
      this.#text.tabIndex = 0;
    }
    this.element = element(
      "article",
      { class: `turn ${role}` },
      element("header", {}, element("h3", {}, NAMES[role] ?? role), this.#badge, this.#facts),
      this.#thoughts,
      this.#text,
      this.#problem,
    );
  }

  /** A turn as the API tells it. */
  static of(told) {
    const turn = new Turn(told.role);
    turn.#reasoning.textContent = told.reasoning_content ?? "";
    turn.#thoughts.hidden = !told.reasoning_content;
    turn.#text.textContent = told.content;
    if (told.role === "assistant") {
      turn.end(told.status, told.finish_reason);
      turn.facts(told.usage, null);
    }
    return turn;
  }

  /** Appends to what is shown, at most once per frame. */
  append(content, reasoning) {
    this.#waiting.content += content;
    this.#waiting.reasoning += reasoning;
    if (!this.#drawing) {
      this.#drawing = true;
      requestAnimationFrame(() => this.draw());
    }
  }

  draw() {
    this.#drawing = false;
    const { content, reasoning } = this.#waiting;
    this.#waiting = { content: "", reasoning: "" };
    if (reasoning) {
      // Open while there is nothing else to read.
      this.#thoughts.open ||= this.#thoughts.hidden;
      this.#thoughts.hidden = false;
      this.#reasoning.append(reasoning);
    }
    this.#text.append(content);
    this.element.dispatchEvent(new CustomEvent("grown", { bubbles: true }));
  }

  /** Says how the answer ended; status as in the API. */
  end(status, finishReason) {
    this.draw();
    this.#text.normalize();
    this.element.classList.toggle("running", status === "in_progress");
    const badge = { in_progress: "Answering", incomplete: "Incomplete" }[status]
      ?? (finishReason === "length" ? "Max tokens reached" : "");
    this.#badge.textContent = badge;
    this.#badge.hidden = !badge;
  }

  /** Shows what it cost; times are those that this page measured. */
  facts(usage, times) {
    const facts = [];
    if (times?.first) {
      facts.push(`first token ${times.first < 10_000 ? `${count(Math.round(times.first))} ms` : `${(times.first / 1000).toFixed(1)} s`}`);
    }
    if (times?.rate) {
      facts.push(`${count(Math.round(times.rate))} tok/s`);
    }
    if (usage) {
      facts.push(`${count(usage.prompt_tokens)} prompt + ${count(usage.completion_tokens)} answer tokens`);
    }
    this.#facts.textContent = facts.join(" · ");
  }

  /** Shows what the indexer selected, as the API tells it. */
  selection(told) {
    this.#problem.before(selectionTable(told));
  }

  problem(text) {
    this.#problem.textContent = text;
    this.#problem.hidden = !text;
  }
}
