/** The editor: every flag with its explanation, the cost of what is set, and the server's reason beside what it refuses. */
import { words } from "../shared/api.js";
import { byId, say } from "../shared/dom.js";
import { CostPanel } from "./cost.js";
import * as store from "./store.js";

const form = byId("editor");
let panel = null;
let saved = null;

/** Shows the editor with what a run config has, or empty; {@code whenSaved} gets the new version. */
export async function edit(id, whenSaved) {
  const config = id ? await store.readConfig(id) : { name: "", description: "", profile: {}, sampling: {} };
  saved = whenSaved;
  byId("editor-title").textContent = id ? `New version of ${config.name}, from ${config.id}` : "New run config";
  byId("edit-name").value = config.name;
  byId("edit-description").value = config.description;
  for (const control of form.querySelectorAll("[data-flag]")) {
    control.value = config.profile[control.dataset.flag] ?? "";
  }
  for (const control of form.querySelectorAll("[data-sampling]")) {
    control.value = config.sampling[control.dataset.sampling] ?? "";
  }
  byId("editor-cancel").href = id ? `?config=${encodeURIComponent(id)}` : "?";
  clear();
  panel = new CostPanel((terms) => store.draftCost(draft(), terms), complain);
  byId("editor-cost").replaceChildren(panel.element);
  form.hidden = false;
  panel.now();
}

export function close() {
  if (form) {
    form.hidden = true;
  }
}

/** What is written, without the name: a cost needs none. */
function draft() {
  const profile = {};
  for (const control of form.querySelectorAll("[data-flag]")) {
    const value = control.value.trim();
    if (value) {
      profile[control.dataset.flag] = value;
    }
  }
  const sampling = {};
  for (const control of form.querySelectorAll("[data-sampling]")) {
    const value = control.value.trim();
    if (value) {
      // What is no number goes as it is: the server says what is allowed.
      sampling[control.dataset.sampling] = Number.isNaN(Number(value)) ? value : Number(value);
    }
  }
  return { description: byId("edit-description").value, profile, sampling };
}

function clear() {
  say(byId("editor-problem"), "");
  for (const field of form.querySelectorAll(".field")) {
    say(field.querySelector(".field-error"), "");
    field.querySelector("input, select, textarea").removeAttribute("aria-invalid");
  }
}

/** Puts each line of a refusal beside the field that it is about; null for none. */
function complain(failure) {
  clear();
  if (failure === null) {
    return;
  }
  const rest = [];
  for (const line of words(failure).split("\n")) {
    // A line about a flag begins with the flag.
    const field = fieldOf(`profile.${line.split(" ")[0]}`) ?? fieldOf(failure.field);
    if (field) {
      const error = field.querySelector(".field-error");
      say(error, error.textContent ? `${error.textContent}\n${line}` : line);
      field.querySelector("input, select, textarea").setAttribute("aria-invalid", "true");
    } else {
      rest.push(line);
    }
  }
  say(byId("editor-problem"), rest.join("\n"));
}

function fieldOf(name) {
  return name ? form.querySelector(`[data-field="${CSS.escape(name)}"]`) : null;
}

form?.addEventListener("input", (event) => {
  if (event.target.matches("[data-flag], [data-sampling]")) {
    panel.soon();
  }
});

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = byId("save");
  button.disabled = true;
  try {
    const config = await store.saveConfig({ name: byId("edit-name").value.trim(), ...draft() });
    close();
    saved(config);
  } catch (failure) {
    complain(failure);
    form.querySelector("[aria-invalid=true]")?.focus();
  } finally {
    button.disabled = false;
  }
});
