/** Addresses of this page's views: the query holds all that is shown. */
import { query } from "../shared/api.js";
import { element } from "../shared/dom.js";

export const at = {
  runs: (filters = {}) => view("runs", filters),
  start: (set = {}) => view("start", set),
  run: (id, more = {}) => view("run", { id, ...more }),
  cell: (id, cell) => view("cell", { id, cell }),
  compare: (baseline, candidate, more = {}) => view("compare", { baseline, candidate, ...more }),
  pair: (baseline, candidate, cell) => view("pair", { baseline, candidate, cell }),
  comparisons: (more = {}) => view("comparisons", more),
  comparison: (id) => view("comparison", { id }),
  judge: (set = {}) => view("judge", set),
  schedules: () => view("schedules", {}),
  schedule: (id, more = {}) => view("schedule", { id, ...more }),
  target: (id) => view("target", { id }),
  targets: () => view("targets", {}),
  suites: (more = {}) => view("suites", more),
  suite: (name, version) => view("suite", version ? { name, version } : { name }),
};

function view(name, terms) {
  return query({ view: name, ...terms });
}

/** A link to a view. */
export function to(where, content, kind = "") {
  return element("a", { href: where, class: kind || false }, content);
}

/** Goes to a view as if a link had been followed. */
export function go(where) {
  document.dispatchEvent(new CustomEvent("go", { detail: where }));
}

/** The same view with something else in its address; an empty value takes it out. */
export function changed(changes) {
  const terms = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") {
      terms.delete(name);
    } else {
      terms.set(name, value);
    }
  }
  return `?${terms}`;
}
