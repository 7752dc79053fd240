/** Asks before something that cannot be undone; a refusal stays in the dialog. */
import { words } from "../shared/api.js";
import { byId, element, say } from "../shared/dom.js";

const dialog = byId("ask-dialog");
let act = null;

/** Whether the user may change things. */
export const operate = document.body.dataset.operate === "true";

/** A button that does something at once; a failure is told beside it. */
export function button(text, doing, kind = "") {
  const made = element("button", { type: "button", class: kind || false }, text);
  made.addEventListener("click", async () => {
    made.disabled = true;
    say(byId("problem"), "");
    try {
      await doing(made);
    } catch (failure) {
      say(byId("problem"), words(failure));
    } finally {
      made.disabled = false;
    }
  });
  return made;
}

/** A button that asks first. */
export function asking(text, title, what, verb, doing) {
  const made = element("button", { type: "button", class: "danger" }, text);
  made.addEventListener("click", () => {
    byId("ask-title").textContent = title;
    byId("ask-what").textContent = what;
    byId("ask-do").textContent = verb;
    say(byId("ask-error"), "");
    act = doing;
    dialog.showModal();
    byId("ask-cancel").focus();
  });
  return made;
}

byId("ask-cancel")?.addEventListener("click", () => dialog.close());

byId("ask-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const go = byId("ask-do");
  go.disabled = true;
  try {
    await act();
    dialog.close();
  } catch (failure) {
    say(byId("ask-error"), words(failure));
  } finally {
    go.disabled = false;
  }
});
