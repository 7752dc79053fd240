/** Shows what the address says: nothing chosen, a run config, two, the editor, or an activation. */
import { words } from "../shared/api.js";
import { byId, say } from "../shared/dom.js";
import { navigate } from "../shared/navigation.js";
import { activation, overview } from "./activation.js";
import { comparison, detail } from "./detail.js";
import * as editor from "./editor.js";
import * as list from "./list.js";
import { address } from "../shared/parts.js";
import { actions } from "./reason.js";

const view = byId("view");
const operate = document.body.dataset.operate === "true";
const go = navigate(show);
const buttons = actions((begun) => go(address({ activation: begun.id })));
let shown = 0;
let listed = list.refresh();

async function show(focus) {
  const mine = ++shown;
  const query = new URLSearchParams(location.search);
  list.mark(query.get("config") ?? query.get("edit"));
  editor.close();
  say(byId("problem"), "");
  try {
    let active = await listed;
    if (active === null) {
      listed = list.refresh();
      active = await listed;
    }
    const parts = active === null ? [] : await build(query, active);
    if (mine !== shown) {
      return;
    }
    view.replaceChildren(...parts);
    if (focus) {
      document.querySelector("#view h2, #editor:not([hidden]) h2")?.focus();
    }
  } catch (failure) {
    if (mine === shown) {
      view.replaceChildren();
      say(byId("problem"), words(failure));
    }
  }
}

async function build(query, active) {
  if (query.has("edit")) {
    if (!operate) {
      say(byId("problem"), "Editing needs the scope operate.");
      return [];
    }
    await editor.edit(query.get("edit"), (config) => renew(address({ config: config.id })));
    return [];
  }
  if (query.has("config")) {
    return detail(query.get("config"), active, names(), buttons);
  }
  if (query.has("a") && query.has("b")) {
    return comparison(query.get("a"), query.get("b"));
  }
  if (query.has("activation")) {
    return activation(query.get("activation"), () => {
      listed = list.refresh();
    });
  }
  return overview(active, buttons);
}

function names() {
  return [...document.querySelectorAll("#configs a")].map((anchor) => anchor.dataset.id);
}

/** The list has changed. */
function renew(query) {
  listed = list.refresh();
  go(query);
}

show(false);
