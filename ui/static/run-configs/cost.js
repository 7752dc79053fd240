/** What a run config costs in memory, against what is served. */
import { words } from "../shared/api.js";
import { count, element, say } from "../shared/dom.js";
import { bytes, percent, section, table } from "../shared/parts.js";

const PAUSE_MS = 250;

/**
 * A panel that asks for the cost anew whenever its terms change; {@code ask} gets the terms and returns the cost.
 * {@code refused} gets every refusal that is not about the terms.
 */
export class CostPanel {
  #asked = 0;
  #pause = null;

  constructor(ask, refused = null) {
    this.ask = ask;
    this.refused = refused;
    this.model = element(
      "select",
      { name: "model" },
      element("option", { value: "" }, "the served model"),
      element("option", { value: "v4-flash" }, "v4-flash (DeepSeek-V4-Flash)"),
    );
    this.budget = element("input", { name: "budget_gib", value: "10", inputmode: "decimal", maxlength: "20" });
    this.share = element("input", { name: "window_share", value: "0.1", inputmode: "decimal", maxlength: "20" });
    this.problem = element("p", { class: "field-error", role: "alert", hidden: true });
    this.answer = element("div", { class: "cost-answer", role: "status" });
    const form = element(
      "div",
      { class: "cost-form" },
      element("label", {}, "Model", this.model),
      element("label", {}, "Memory for caches, GiB", this.budget),
      element("label", {}, "Window share", this.share),
    );
    form.addEventListener("input", () => this.soon());
    this.element = element("div", {}, form, this.problem, this.answer);
  }

  /** Asks after a moment without another call. */
  soon() {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.now(), PAUSE_MS);
  }

  async now() {
    const mine = ++this.#asked;
    const terms = { budget_gib: this.budget.value.trim(), window_share: this.share.value.trim() };
    if (this.model.value) {
      terms.model = this.model.value;
    }
    try {
      const cost = await this.ask(terms);
      if (mine === this.#asked) {
        this.#show(cost);
        this.refused?.(null);
      }
    } catch (failure) {
      if (mine === this.#asked) {
        this.#refuse(failure);
      }
    }
  }

  #refuse(failure) {
    this.answer.replaceChildren();
    const terms = ["model", "budget_gib", "window_share"].includes(failure.field);
    for (const input of [this.model, this.budget, this.share]) {
      input.setAttribute("aria-invalid", input.name === failure.field);
    }
    if (this.refused && !terms) {
      this.refused(failure);
      say(this.problem, "");
    } else {
      say(this.problem, words(failure));
    }
  }

  #show(cost) {
    say(this.problem, "");
    for (const input of [this.model, this.budget, this.share]) {
      input.removeAttribute("aria-invalid");
    }
    const open = [...this.answer.querySelectorAll("details")].map((details) => details.open);
    this.answer.replaceChildren(...parts(cost));
    this.answer.querySelectorAll("details").forEach((details, i) => {
      details.open = open[i] ?? false;
    });
  }
}

function parts(cost) {
  const { against_served: against } = cost;
  const pools = Object.entries(cost.bytes_per_token).filter(([name]) => name !== "total");
  return [
    element(
      "p",
      { class: "headline numbers" },
      `${number(cost.bytes_per_token.total)} bytes per token (served: ${number(against.bytes_per_token)}, `
        + `${percent(against.bytes_per_token_percent)}); ${count(cost.tokens_in_budget)} tokens fit `
        + `(served: ${count(against.tokens_in_budget)}, ${percent(against.tokens_in_budget_percent)}).`,
    ),
    table(
      "Bytes per token by pool",
      ["Pool", ["Bytes", "number"]],
      pools.map(([name, value]) => [[name, "code"], [number(value), "number"]]),
    ),
    more("Requests by length", table(
      "Requests, each with its own window, states and pages",
      [["Tokens", "number"], ["Memory", "number"], ["Fit", "number"], ["Fit as served", "number"]],
      cost.requests.map((request) => [
        [count(request.tokens), "number"],
        [bytes(request.bytes), "number"],
        [count(request.fit_in_budget), "number"],
        [count(request.served_fit_in_budget), "number"],
      ]),
    )),
    more("The formula, and how the difference moves with the window share",
      element("ul", { class: "lines" }, ...cost.formula.map((text) => element("li", {}, text))),
      table(
        "Difference to what is served by window share",
        [["Window share", "number"], ["Bytes per token", "number"], ["Difference", "number"], ["Tokens that fit", "number"]],
        cost.by_window_share.map((at) => [
          [String(at.window_share), "number"],
          [number(at.bytes_per_token), "number"],
          [percent(at.bytes_per_token_percent), "number"],
          [percent(at.tokens_in_budget_percent), "number"],
        ]),
      )),
    more(`Why reports differ: ${cost.reported.change}`,
      table(
        "What follows from which assumption",
        [["Bytes per token", "number"], ["Tokens", "number"], "Assumption"],
        cost.reported.derived.map((row) => [
          [percent(row.bytes_per_token_percent), "number"],
          [percent(row.tokens_in_budget_percent), "number"],
          [row.assumption, "wide"],
        ]),
      ),
      ...cost.reported.conclusion.map((text) => element("p", { class: "note" }, text))),
  ];
}

function more(summary, ...children) {
  return element("details", {}, element("summary", {}, summary), ...children);
}

function number(value) {
  return value.toLocaleString("en", { maximumFractionDigits: 2 });
}

export function costSection(panel) {
  return section("Cost in memory", panel.element);
}
