/** The list of run configs: which is active, and what the others do differently. */
import { words } from "../shared/api.js";
import { byId, element, say } from "../shared/dom.js";
import { address, tag } from "../shared/parts.js";
import * as store from "./store.js";

const list = byId("configs");
const note = byId("list-note");
let current = null;
let reading = 0;

/** Marks the run config that is shown. */
export function mark(id) {
  current = id;
  for (const anchor of list.querySelectorAll("a")) {
    const shown = current !== null && (anchor.dataset.id === current || anchor.dataset.name === current);
    anchor.toggleAttribute("aria-current", shown);
  }
}

/** Reads the list anew; resolves to the id of the active version, before it is known what differs; null on failure. */
export async function refresh() {
  const mine = ++reading;
  const problem = byId("list-problem");
  try {
    const { configs, active } = await store.allConfigs();
    if (mine !== reading) {
      return active;
    }
    say(problem, "");
    note.textContent = `${configs.length} run configs; active: ${active}`;
    const entries = configs.map((config) => entry(config, active));
    list.replaceChildren(...entries.map((made) => made.item));
    mark(current);
    entries.forEach((made) => made.compare());
    return active;
  } catch (failure) {
    note.textContent = "";
    say(problem, words(failure));
    return null;
  }
}

function entry(config, active) {
  const differs = element("span", { class: "config-differs" });
  const tags = config.id === active ? [tag("active")] : [];
  if (config.id !== active && config.name === active.split("@")[0]) {
    tags.push(tag(`version ${active.split("@")[1]} is active`));
  }
  const item = element(
    "li",
    {},
    element(
      "a",
      { href: address({ config: config.id }), "data-id": config.id, "data-name": config.name },
      element("span", { class: "config-name" }, config.id, ...tags),
      differs,
    ),
  );
  const compare = async () => {
    if (config.id === active) {
      return;
    }
    try {
      differs.textContent = difference(await store.readDiff(active, config.id));
    } catch (failure) {
      differs.textContent = words(failure);
    }
  };
  return { item, compare };
}

/** What a config does differently from the active one, in words. */
export function difference(diff) {
  const flags = diff.flags.filter((flag) => flag.differs).map((flag) => `${flag.name} ${flag.b.value}`);
  const sampling = diff.sampling.filter((field) => field.differs).map((field) => `${field.name} ${field.b ?? "unset"}`);
  const all = [...flags, ...sampling];
  return all.length > 0 ? `differs: ${all.join(", ")}` : "the same flags as the active one";
}
