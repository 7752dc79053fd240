/** Activations: how one goes on and what it proves, and the list of all. */
import { words } from "../shared/api.js";
import { count, element } from "../shared/dom.js";
import { bytes, facts, heading, link, section, table, tag, time } from "../shared/parts.js";
import * as store from "./store.js";

const POLL_MS = 500;
/** Every server tells its proof on its own, a little after the activation is over. */
const LAST_PROOFS_MS = 10_000;
const KINDS = { complete: "", failed: "bad", in_progress: "waiting" };
const WORDS = { complete: "complete", failed: "failed", in_progress: "in progress" };

/** The view of an activation; renews itself until it is over, then calls {@code ended}. */
export async function activation(id, ended) {
  const root = element("div", { id: "activation", class: "stack" });
  const progress = element("p", { role: "status", class: "hidden" });
  const first = await store.readActivation(id);
  show(root, progress, first);
  const going = first.status === "in_progress";
  if (!going) {
    // So quick that the page only now hears of it: the list has yet to.
    ended();
  }
  if (going || !proven(first)) {
    follow(root, progress, id, going ? ended : () => {});
  }
  return [heading(`Activation of ${first.to}`), progress, root, link("All activations", {})];
}

/** Whether the server that was asked has told what it did; of a failure there may be nothing to tell. */
function proven(told) {
  return told.status === "failed" || told.instances.some((result) => result.instance === told.instance);
}

async function follow(root, progress, id, ended) {
  const began = performance.now();
  let over = null;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (!root.isConnected) {
      return;
    }
    const elapsed = root.querySelector(".elapsed");
    if (elapsed) {
      elapsed.textContent = `for ${Math.round((performance.now() - began) / 1000)} s`;
    }
    try {
      const told = await store.readActivation(id);
      show(root, progress, told);
      if (told.status !== "in_progress") {
        if (over === null) {
          over = performance.now();
          ended();
        }
        if (performance.now() - over > LAST_PROOFS_MS) {
          return;
        }
      }
    } catch (failure) {
      delete root.dataset.said;
      root.replaceChildren(element("p", { class: "problem" }, words(failure)));
    }
  }
}

function show(root, progress, told) {
  const said = JSON.stringify(told);
  // What has not changed stays, with the reader's selection in it.
  if (root.dataset.said === said) {
    return;
  }
  root.dataset.said = said;
  progress.textContent = `The activation is ${WORDS[told.status]}.`;
  const parts = [
    element("p", {}, tag(WORDS[told.status], KINDS[told.status]), ` ${told.kind} from `,
      link(told.from, { config: told.from }), " to ", link(told.to, { config: told.to })),
    facts([
      ["Reason", element("span", { class: "text" }, told.reason)],
      ["Asked by", told.author],
      ["Began", time(told.started)],
      ["Took", told.duration_ms === null ? "not over yet" : `${count(told.duration_ms)} ms`],
    ]),
  ];
  if (told.status === "in_progress") {
    parts.push(
      element("p", { class: "note" }, "The lane is built beside the running one and tested; requests go on meanwhile, watched ",
        element("span", { class: "elapsed numbers" }), "."),
      bar(told.progress_percent),
    );
  }
  if (told.failure) {
    parts.push(element("p", { class: "problem text" }, told.failure), element("p", {}, "Nothing has changed."));
  }
  parts.push(...told.instances.map(instance));
  root.replaceChildren(...parts);
}

/** How much of the lane is built; without a number while the server that is asked builds none. */
function bar(percent) {
  const label = { "aria-label": "Activation in progress" };
  if (percent === null) {
    return element("progress", label);
  }
  return element("p", {}, element("progress", { ...label, max: "100", value: String(percent) }),
    element("span", { class: "numbers" }, ` ${percent} % of the lane is built`));
}

function instance(result) {
  const parts = [element("p", {}, tag(result.status, result.status === "failed" ? "bad" : ""), ` after ${count(result.duration_ms)} ms`)];
  if (result.failure) {
    parts.push(element("p", { class: "problem text" }, result.failure));
  }
  if (result.proof) {
    parts.push(...proof(result.proof));
  }
  return section(`Server ${result.instance}`, ...parts);
}

/** What a server proved of the lane. */
function proof(told) {
  const { build, memory, smoke } = told;
  return [
    facts([
      ["Fingerprint", told.system_fingerprint],
      ["Release", build.release],
      ["Commit", build.commit],
      ["Smoke test", smoke.run ? `passed on ${count(smoke.kernels)} kernels` : "not run: the server started with this lane"],
      ["Weights in new forms", bytes(memory.weights_bytes)],
      ["Pools", bytes(memory.pools_bytes)],
      ["Working memory", bytes(memory.working_bytes)],
      ["Stored tensors read", count(memory.tensors_read)],
      ["Lane built in", `${count(told.lane_ms)} ms`],
    ]),
    table(
      "Flags as read back from the lane",
      ["Flag", "Lane", "Asked", "From", "Agreement"],
      told.flags.map((flag) => [
        [flag.name, "code"], [flag.value, "code"], [flag.asked, "code"], flag.origin, flag.value === flag.asked ? "same" : "DIFFERS",
      ]),
    ),
    element("details", {}, element("summary", {}, `${told.kernels.length} kernel variants`),
      element("ul", { class: "lines" }, ...told.kernels.map((kernel) => element("li", {}, kernel)))),
    element("details", {}, element("summary", {}, `${told.code?.length ?? 0} hashes of kernels' code`),
      element("ul", { class: "lines" }, ...(told.code ?? []).map((code) => element("li", {}, `${code.sha256} ${code.object}`)))),
    element("details", {}, element("summary", {}, "The whole proof"),
      element("pre", { class: "code text" }, JSON.stringify(told, null, 2))),
  ];
}

/** The view without a choice: what is active, and what was activated before. */
export async function overview(active, actions) {
  const rows = element("tbody");
  const more = element("button", { type: "button", class: "quiet" }, "Older");
  const frame = table("Activations, newest first", ["When", "What", "From", "To", "Outcome", "By", "Reason"], []);
  frame.querySelector("tbody").replaceWith(rows);
  let last = null;
  const read = async () => {
    const page = await store.readActivations(last);
    rows.append(...page.data.map(row));
    last = page.last_id;
    more.hidden = !page.has_more;
    return page.data.length;
  };
  more.addEventListener("click", read);
  const any = await read();
  const served = actions ? await store.readServed().catch(() => null) : null;
  return [
    heading("Active", actions ? [actions.rollBack()] : []),
    element("p", {}, link(active, { config: active }), " ", tag("active"), " answers requests that name no run config."),
    ...here(served, active),
    section("Audit", any > 0 ? frame : element("p", { class: "note" }, "Nothing was activated yet."), more),
  ];
}

function row(told) {
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, link(time(told.started), { activation: told.id })),
    element("td", {}, told.kind),
    element("td", {}, link(told.from, { config: told.from })),
    element("td", {}, link(told.to, { config: told.to })),
    element("td", {}, tag(WORDS[told.status], KINDS[told.status]), told.duration_ms === null ? "" : ` ${count(told.duration_ms)} ms`),
    element("td", {}, told.author),
    element("td", { class: "wide text" }, told.reason),
  );
}

/** What this server does otherwise than the database says, and why. */
function here(served, active) {
  const lines = [];
  if (served?.trouble) {
    lines.push(element("p", { class: "problem text" }, served.trouble));
  }
  if (served?.name && served.name.split("+")[0] !== active) {
    lines.push(element("p", { class: "problem" }, `This server serves ${served.name}, as its ${served.source} says.`));
  }
  const pinned = Object.entries(served?.overridden ?? {});
  if (pinned.length > 0) {
    lines.push(element("p", { class: "note" },
      `Pinned by this server's start: ${pinned.map(([flag, value]) => `${flag} ${value}`).join(", ")}.`));
  }
  return lines;
}
