/** Targets: servers that runs can ask besides this one's own model. */
import { element } from "../shared/dom.js";
import { facts, heading, section, table, tag, time } from "../shared/parts.js";
import { at, go, to } from "./address.js";
import { asking, button, operate } from "./ask.js";
import { field, form, number } from "./forms.js";
import * as store from "./store.js";

export async function targetsView() {
  const targets = await store.targets();
  return [
    heading("Targets", operate ? [to(at.target(""), "Add a server", "button")] : []),
    element("p", {}, "This server's own model needs no entry. Others answer OpenAI's chat completions; of SGLang the selection is read too."),
    targets.length > 0
      ? table("Servers that runs can ask", ["Name", "Kind", "Address", "Model", "Key"], targets.map((target) => [
        to(at.target(target.id), target.name), target.kind, [target.url, "wide"], [target.model, "wide"], target.has_key ? "stored" : "none",
      ]))
      : element("p", { class: "note" }, "None was added."),
  ];
}

/** One target, or the form for a new one. */
export async function targetView(query) {
  const id = query.get("id");
  if (!id) {
    return [heading("Add a server"), editor(null)];
  }
  const target = await store.target(id);
  const checked = element("div", { class: "stack", id: "checked", role: "status" });
  return [
    heading(target.name, operate ? [
      button("Check", async () => {
        checked.replaceChildren(element("p", { class: "note" }, "Asking it a short question."));
        try {
          checked.replaceChildren(...checkParts(await store.checkTarget(id)));
        } catch (failure) {
          checked.replaceChildren();
          throw failure;
        }
      }, "primary"),
      to(at.start({ target: target.id }), "Start a run", "button"),
      asking("Delete", `Delete ${target.name}?`, "Its key is lost. What runs have found stays.", "Delete", async () => {
        await store.deleteTarget(id);
        go(at.targets());
      }),
    ] : []),
    checked,
    facts([["Kind", target.kind], ["Address", target.url], ["Model", target.model], ["Checkpoint", target.weights || "not told"],
      ["Key", target.has_key ? "stored, never shown" : "none"],
      ["Window and budget", `${target.edges.window} and ${target.edges.budget} tokens`], ["Cells at once", String(target.parallel)],
      ["Seconds to connect, of silence, of an answer", Object.values(target.timeouts).join(", ")],
      ["By", target.author], ["Changed", time(target.updated)]]),
    ...(operate ? [element("details", {}, element("summary", {}, "Change"), editor(target))] : []),
  ];
}

function checkParts(check) {
  const parts = [element("p", {}, tag(check.ready ? "ready" : "not ready", check.ready ? "" : "bad"))];
  parts.push(...check.problems.map((problem) => element("p", { class: "problem text" }, problem)));
  const told = [["Models", check.models.join(", ")], ["Prompts measured by", check.measure], ["Lengths", check.lengths], ["Selections", check.selections],
    ["Answer", check.answer?.text], ...Object.entries(check.server)].filter(([, value]) => value);
  return [...parts, ...(told.length > 0 ? [section("What it told", facts(told))] : [])];
}

function editor(target) {
  const fields = [
    field("name", "Name", { value: target?.name ?? "" }),
    field("kind", "Kind", { kind: ["openai", "sglang"], value: target?.kind ?? "openai", hint: "sglang also tells what its indexer selected." }),
    field("url", "Address", { value: target?.url ?? "", hint: "Such as https://host:8000." }),
    field("model", "Model", { value: target?.model ?? "", hint: "As that server calls it." }),
    field("weights", "Checkpoint", { value: target?.weights ?? "", hint: "A name of the weights, so that runs on two servers can be compared; may be empty." }),
    field("key", "Key", { kind: "password", hint: target?.has_key ? "Left empty, the stored one stays." : "Kept sealed, never shown; may be empty." }),
    field("window", "Window, tokens", { value: String(target?.edges.window ?? 128), api: "edges.window", hint: "What every query sees." }),
    field("budget", "Budget, tokens", { value: String(target?.edges.budget ?? 2048), api: "edges.budget", hint: "What a full selection covers; 0 for none." }),
    field("parallel", "Cells at once", { value: String(target?.parallel ?? 4) }),
    ...["connect", "silence", "answer"].map((what) => field(`${what}_seconds`, { connect: "Seconds to connect", silence: "Seconds of silence", answer: "Seconds of an answer" }[what],
      { value: String(target?.timeouts[`${what}_seconds`] ?? ""), api: `timeouts.${what}_seconds`, hint: "Empty for the usual." })),
    field("extra_body", "Further fields of every request", { kind: "area", value: target ? JSON.stringify(target.extra_body, null, 2) : "{}", hint: "A JSON object." }),
  ];
  return form(fields, "Save", async (values) => {
    const { name, kind, url, model, weights, key } = values;
    const seconds = ["connect_seconds", "silence_seconds", "answer_seconds"].filter((what) => values[what]).map((what) => [what, number(values[what])]);
    const body = {
      name, kind, url, model, weights, parallel: number(values.parallel),
      edges: { window: number(values.window), budget: number(values.budget) },
      timeouts: Object.fromEntries(seconds),
      extra_body: parsed(values.extra_body || "{}"),
      ...(key ? { key } : {}),
    };
    const saved = target ? await store.changeTarget(target.id, body) : await store.addTarget(body);
    go(at.target(saved.id));
  }, target ? at.target(target.id) : at.targets());
}

/** An object, or the text as it is: the server says what is allowed. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
