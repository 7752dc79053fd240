/** A conversation that is open in the page: its turns, and the answer that may be streaming into it. */
import { ApiError, call, send, words } from "../shared/api.js";
import { element } from "../shared/dom.js";
import { conversationPath } from "./conversations.js";
import { events } from "./events.js";
import { Turn } from "./turn.js";

const AGAIN_MS = 1000;

/** Refused before the answer began: nothing of it is kept. */
export class Refused extends Error {}

export class Thread {
  id = null;
  title = "";
  element = element("div", { class: "turns" });
  #abort = null;
  #system = "";

  /** Tells the listener after every change of what the page shows besides the turns. */
  constructor(changed) {
    this.changed = changed;
  }

  get busy() {
    return this.#abort !== null;
  }

  /** The last system prompt that was said in it. */
  get system() {
    return this.#system;
  }

  /** Shows a stored conversation. */
  async load(id) {
    const told = await call("GET", conversationPath(id));
    this.id = told.id;
    this.title = told.title;
    this.#system = told.turns.filter((turn) => turn.role === "system").at(-1)?.content ?? "";
    this.element.replaceChildren(...told.turns.map((turn) => Turn.of(turn).element));
    if (told.turns.some((turn) => turn.status === "in_progress")) {
      // Another page is asking; this one looks again until it is done.
      setTimeout(() => this.element.isConnected && !this.busy && this.load(id).catch(() => {}), AGAIN_MS);
    }
    this.changed(this);
  }

  stop() {
    this.#abort?.abort();
  }

  /** Asks. Throws Refused when there is no answer at all. */
  async ask(text, settings) {
    this.#abort = new AbortController();
    const fresh = this.id === null;
    const question = this.#say(text, settings.system);
    const answer = new Turn("assistant");
    answer.end("in_progress");
    const turns = [...question.map((message) => Turn.of(message)), answer];
    this.element.append(...turns.map((turn) => turn.element));
    this.changed(this);
    const sent = performance.now();
    let response;
    try {
      this.id ??= (await call("POST", "/api/conversations", {})).id;
      response = await this.#request(question, settings);
    } catch (failure) {
      turns.forEach((turn) => turn.element.remove());
      this.#abort = null;
      await this.#forget(fresh, failure);
      this.changed(this);
      throw new Refused(failure.name === "AbortError" ? "Stopped before the answer began." : words(failure));
    }
    this.#system = settings.system || this.#system;
    this.changed(this);
    await this.#receive(response, answer, sent);
    this.#abort = null;
    this.changed(this);
  }

  /** A system prompt is said once, and again when it has changed. */
  #say(text, system) {
    const question = [{ role: "user", content: text }];
    if (system && system !== this.#system) {
      question.unshift({ role: "system", content: system });
    }
    return question;
  }

  async #request(question, settings) {
    const { data } = await call("GET", "/v1/models");
    const body = {
      model: data[0].id,
      messages: question,
      conversation: this.id,
      stream: true,
      stream_options: { include_usage: true },
      temperature: settings.temperature,
      thinking: { type: settings.thinking ? "enabled" : "disabled" },
    };
    if (settings.maxTokens !== null) {
      body.max_completion_tokens = settings.maxTokens;
    }
    if (settings.watch) {
      body.selection = { queries: settings.queries, watch: [settings.watch] };
    }
    return send("POST", "/v1/chat/completions", body, this.#abort.signal);
  }

  /** A conversation that was made for a refused question is not kept. */
  async #forget(fresh, failure) {
    if (fresh && this.id !== null) {
      const id = this.id;
      this.id = null;
      await call("DELETE", conversationPath(id)).catch(() => {});
    } else if (!fresh && !(failure instanceof ApiError)) {
      // Nobody knows how far the question came.
      await this.load(this.id).catch(() => {});
    }
  }

  async #receive(response, answer, sent) {
    const seen = { first: null, last: null, finish: null, usage: null, done: false };
    try {
      for await (const data of events(response.body)) {
        if (data === "[DONE]") {
          seen.done = true;
          break;
        }
        this.#accept(JSON.parse(data), answer, seen);
      }
      answer.end(seen.done ? "complete" : "incomplete", seen.finish);
      if (!seen.done && !seen.failed) {
        answer.problem("The connection ended before the answer did.");
      }
    } catch (failure) {
      answer.end("incomplete");
      if (failure.name !== "AbortError") {
        answer.problem("The connection was lost before the answer ended.");
      }
    }
    answer.facts(seen.usage, times(seen, sent));
  }

  #accept(chunk, answer, seen) {
    if (chunk.error) {
      seen.failed = true;
      answer.problem(chunk.error.message);
      return;
    }
    seen.usage = chunk.usage ?? seen.usage;
    if (chunk.plumbline?.selection) {
      answer.selection(chunk.plumbline.selection);
    }
    for (const { delta, finish_reason: finish } of chunk.choices) {
      seen.finish = finish ?? seen.finish;
      const content = delta.content ?? "";
      const reasoning = delta.reasoning_content ?? "";
      if (content || reasoning) {
        seen.last = performance.now();
        seen.first ??= seen.last;
        answer.append(content, reasoning);
      }
    }
  }
}

/** Milliseconds to the first text, and tokens per second after it. */
function times(seen, sent) {
  if (seen.first === null) {
    return null;
  }
  const tokens = seen.usage ? seen.usage.completion_tokens - 1 : 0;
  const seconds = (seen.last - seen.first) / 1000;
  return { first: seen.first - sent, rate: tokens > 0 && seconds > 0 ? tokens / seconds : null };
}
