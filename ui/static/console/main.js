/** Puts the parts of the page together: which conversation is open, and what its state allows. */
import { call, words } from "../shared/api.js";
import * as composer from "./composer.js";
import { conversationPath } from "./conversations.js";
import { byId, say } from "../shared/dom.js";
import "./engine.js";
import * as history from "./history.js";
import "./panels.js";
import { Refused, Thread } from "./thread.js";

const view = byId("thread");
const welcome = byId("welcome");
/** Conversations whose answer is streaming, also while another one is shown. */
const answering = new Map();
const NEAR_END = 80;

let shown;
let following = true;

function show(thread) {
  shown = thread;
  following = true;
  view.replaceChildren(...(thread.element.children.length > 0 ? [thread.element] : [welcome, thread.element]));
  view.scrollTop = view.scrollHeight;
  composer.complain("");
  update(thread);
}

/** Shows the state of the open conversation. */
function update(thread) {
  if (thread !== shown) {
    return;
  }
  if (thread.element.children.length > 0) {
    welcome.remove();
  }
  byId("title").textContent = thread.title.trim() || (thread.id ? "Untitled" : "New conversation");
  byId("title-actions").hidden = thread.id === null || thread.busy;
  byId("send").disabled = thread.busy;
  byId("send").hidden = thread.busy;
  byId("stop").hidden = !thread.busy;
  view.setAttribute("aria-busy", thread.busy);
  if (thread.id) {
    byId("export").href = conversationPath(thread.id, "/export");
    if (location.hash !== `#${thread.id}`) {
      window.history.pushState(null, "", `#${thread.id}`);
    }
  }
  history.mark(thread.id);
  if (following) {
    view.scrollTop = view.scrollHeight;
  }
}

function startNew() {
  window.history.pushState(null, "", location.pathname);
  show(new Thread(update));
  composer.focus();
}

/** Opens the conversation that the address names. */
async function openFromAddress() {
  const id = location.hash.slice(1);
  if (!id) {
    show(new Thread(update));
    return;
  }
  if (id === shown?.id) {
    return;
  }
  const thread = answering.get(id) ?? new Thread(update);
  if (thread.id === null) {
    try {
      await thread.load(id);
    } catch (failure) {
      show(new Thread(update));
      composer.complain(failure.status === 404 ? "The conversation does not exist." : words(failure));
      return;
    }
  }
  show(thread);
  composer.writeSystem(thread.system);
}

async function ask(text, settings) {
  const thread = shown;
  composer.complain("");
  composer.write("");
  following = true;
  const progress = byId("progress");
  progress.textContent = "The model is answering.";
  const listed = new Promise((resolve) => {
    thread.changed = (changed) => {
      update(changed);
      if (changed.id) {
        answering.set(changed.id, changed);
        resolve();
      }
    };
  });
  listed.then(() => history.refresh());
  try {
    await thread.ask(text, settings);
    await retitle(thread);
    progress.textContent = "The answer has ended.";
  } catch (failure) {
    if (!(failure instanceof Refused)) {
      throw failure;
    }
    progress.textContent = "";
    if (thread === shown) {
      composer.write(text);
      composer.complain(failure.message);
    }
  } finally {
    answering.delete(thread.id);
    thread.changed = update;
    history.refresh();
  }
}

/** The server names a conversation after its first message. */
async function retitle(thread) {
  if (!thread.title) {
    const told = await call("GET", conversationPath(thread.id)).catch(() => null);
    thread.title = told?.title ?? "";
    update(thread);
  }
}

function confirmed(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

async function rename() {
  const thread = shown;
  const field = byId("rename-title");
  field.value = thread.title;
  field.select();
  if (await confirmed(byId("rename-dialog"))) {
    const told = await call("PATCH", conversationPath(thread.id), { title: field.value });
    thread.title = told.title;
    update(thread);
    history.refresh();
  }
}

async function remove() {
  const thread = shown;
  if (await confirmed(byId("delete-dialog"))) {
    await call("DELETE", conversationPath(thread.id));
    startNew();
    history.refresh();
  }
}

/** Runs an action and shows its failure. */
function guarded(action) {
  return () => action().catch((failure) => composer.complain(words(failure)));
}

composer.onSend(ask);
byId("stop").addEventListener("click", () => shown.stop());
byId("new-conversation").addEventListener("click", startNew);
byId("rename").addEventListener("click", guarded(rename));
byId("delete").addEventListener("click", guarded(remove));
view.addEventListener("scroll", () => {
  following = view.scrollHeight - view.scrollTop - view.clientHeight < NEAR_END;
});
view.addEventListener("grown", () => {
  if (following) {
    view.scrollTop = view.scrollHeight;
  }
});
new ResizeObserver(() => {
  if (following) {
    view.scrollTop = view.scrollHeight;
  }
}).observe(view);
window.addEventListener("hashchange", openFromAddress);

openFromAddress();
history.refresh();
