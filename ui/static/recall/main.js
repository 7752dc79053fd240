/** Shows what the address says. */
import { words } from "../shared/api.js";
import { byId, say } from "../shared/dom.js";
import { navigate } from "../shared/navigation.js";
import { cellView, pairView } from "./cell.js";
import { compareView } from "./compare.js";
import { comparisonsView, comparisonView, judgeView, overview } from "./comparisons.js";
import { runView } from "./run.js";
import { runsView, startView } from "./runs.js";
import { scheduleView, schedulesView } from "./schedules.js";
import { suitesView, suiteView } from "./suites.js";
import { targetsView, targetView } from "./targets.js";

const VIEWS = {
  overview: [overview, "overview"],
  runs: [runsView, "runs"],
  start: [startView, "runs"],
  run: [runView, "runs"],
  cell: [cellView, "runs"],
  compare: [compareView, "comparisons"],
  pair: [pairView, "comparisons"],
  comparisons: [comparisonsView, "comparisons"],
  comparison: [comparisonView, "comparisons"],
  judge: [judgeView, "comparisons"],
  schedules: [schedulesView, "schedules"],
  schedule: [scheduleView, "schedules"],
  targets: [targetsView, "targets"],
  target: [targetView, "targets"],
  suites: [suitesView, "suites"],
  suite: [suiteView, "suites"],
};

const view = byId("view");
let shown = 0;
let leaving = new AbortController();

/** Reads the address and shows its view; {@code keep} leaves the old one until the new one is there. */
async function show(focus) {
  const mine = ++shown;
  leaving.abort();
  leaving = new AbortController();
  const query = new URLSearchParams(location.search);
  const [build, place] = VIEWS[query.get("view") ?? "overview"] ?? [unknown, ""];
  mark(place);
  say(byId("problem"), "");
  say(byId("loading"), "Loading.");
  try {
    const parts = await build(query, leaving.signal);
    if (mine !== shown) {
      return;
    }
    view.replaceChildren(...parts);
    const title = view.querySelector("h2");
    document.title = `${title?.textContent ?? "Recall"} - Plumbline`;
    if (focus) {
      (view.querySelector("[data-focus]") ?? title)?.focus();
    }
  } catch (failure) {
    if (mine === shown) {
      view.replaceChildren();
      say(byId("problem"), words(failure));
    }
  } finally {
    if (mine === shown) {
      say(byId("loading"), "");
    }
  }
}

function unknown(query) {
  say(byId("problem"), `This page has no view '${query.get("view")}'; it has ${Object.keys(VIEWS).join(", ")}.`);
  return [];
}

function mark(place) {
  for (const link of document.querySelectorAll("#places [data-place]")) {
    if (link.dataset.place === place) {
      link.setAttribute("aria-current", "page");
    } else {
      link.removeAttribute("aria-current");
    }
  }
}

navigate(show);
document.addEventListener("again", () => show(false));
show(false);
