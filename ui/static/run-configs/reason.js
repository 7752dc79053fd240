/** Asks why, then does it; a refusal stays beside the reason. */
import { words } from "../shared/api.js";
import { byId, element, say } from "../shared/dom.js";
import * as store from "./store.js";

const dialog = byId("reason-dialog");
const reason = byId("reason");
const error = byId("reason-error");
let act = null;

/** Buttons of who may operate the server; {@code begun} gets the activation. Null for others. */
export function actions(begun) {
  if (!dialog) {
    return null;
  }
  return {
    activate: (config) => button("Activate...", "primary", () => ask(
      `Activate ${config.id}`,
      "Requests that name no run config get it, on every server of this database. Running answers end as they began.",
      "Activate",
      (why) => store.activate(config.name, config.version, why).then(begun),
    )),
    rollBack: () => button("Roll back...", "", () => ask(
      "Roll back",
      "Makes active what was so before the last activation that is not undone yet.",
      "Roll back",
      (why) => store.rollBack(why).then(begun),
    )),
  };
}

function button(text, kind, click) {
  const made = element("button", { type: "button", class: kind || false }, text);
  made.addEventListener("click", click);
  return made;
}

function ask(title, what, verb, doing) {
  byId("reason-title").textContent = title;
  byId("reason-what").textContent = what;
  byId("reason-do").textContent = verb;
  reason.value = "";
  refuse("");
  act = doing;
  dialog.showModal();
  reason.focus();
}

function refuse(text) {
  say(error, text);
  reason.setAttribute("aria-invalid", Boolean(text));
}

byId("reason-cancel")?.addEventListener("click", () => dialog.close());

byId("reason-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const go = byId("reason-do");
  go.disabled = true;
  try {
    await act(reason.value);
    dialog.close();
  } catch (failure) {
    refuse(words(failure));
    reason.focus();
  } finally {
    go.disabled = false;
  }
});
