/** One run: how far it is, what it found by stratum and by length and depth, and its cells. */
import { count, element } from "../shared/dom.js";
import { words } from "../shared/api.js";
import { facts, heading, section, table, time } from "../shared/parts.js";
import { at, changed, go, to } from "./address.js";
import { asking, button, operate } from "./ask.js";
import { cellList, chosenCells } from "./cells.js";
import { percent, sum, tellRate, wilson } from "./counts.js";
import { follow } from "./follow.js";
import { heatmap, layout, legend, rowSwitch } from "./heatmap.js";
import { nameOf, stateTag } from "./runs.js";
import * as store from "./store.js";

const LEAST_PAUSE_MS = 700;
const EVERYWHERE = { stratum: null, from: null, to: null, phase: null, depth: null, cell_state: null, after: null };
const over = (run) => !["waiting", "running"].includes(run.state);

/** The view of a run; renews its numbers while it goes on. */
export async function runView(query, signal) {
  const id = query.get("id");
  const by = query.get("rows") ?? "band";
  const [run, grid] = await Promise.all([store.run(id), store.grid(id)]);
  const state = element("span", { class: "run-state" });
  const progress = element("div", { class: "progress" });
  const actions = element("div", { class: "actions" });
  const results = element("div", { class: "stack", id: "results" });
  const lost = element("p", { class: "note", role: "status", hidden: true }, "The connection is lost; trying again.");
  let ended = null;
  const show = (told, numbers) => {
    state.replaceChildren(stateTag(told.state));
    progress.replaceChildren(...progressOf(told));
    // Buttons stay while they are the same ones: somebody may be about to press one.
    if (ended !== over(told)) {
      ended = over(told);
      actions.replaceChildren(...actionsOf(told));
    }
    keepFocus(results, () => results.replaceChildren(...resultsOf(numbers, by)));
  };
  show(run, grid);
  if (!over(run)) {
    renewed(id, signal, show, lost);
  }
  const head = heading(nameOf(run), [], [state]);
  head.querySelector(".actions").replaceWith(actions);
  const chosen = chosenCells(query);
  return [
    head,
    lost,
    progress,
    results,
    ...(chosen ? await cellList(run, chosen, query) : []),
    ...about(run),
  ];
}

/** Reads the numbers anew when an event says that they have changed, never twice at once and not too often. */
function renewed(id, signal, show, lost) {
  let reading = false;
  let again = false;
  const renew = async () => {
    if (reading) {
      again = true;
      return;
    }
    reading = true;
    try {
      do {
        again = false;
        const [run, grid] = await Promise.all([store.run(id), store.grid(id)]);
        if (signal.aborted) {
          return;
        }
        show(run, grid);
        if (over(run)) {
          source.close();
          return;
        }
        await new Promise((done) => setTimeout(done, LEAST_PAUSE_MS));
      } while (again && !signal.aborted);
    } catch (failure) {
      lost.textContent = words(failure);
      lost.hidden = false;
    } finally {
      reading = false;
    }
  };
  const source = follow(store.path("runs", id, "events"), signal, renew, (broken) => {
    lost.textContent = "The connection is lost; trying again.";
    lost.hidden = !broken;
    if (!broken) {
      renew();
    }
  });
}

function keepFocus(root, change) {
  const held = root.contains(document.activeElement) ? document.activeElement.id : "";
  change();
  if (held) {
    document.getElementById(held)?.focus({ preventScroll: true });
  }
}

function progressOf(run) {
  const total = sum([run.cells]);
  const done = total.all - total.missing;
  const text = `${count(done)} of ${count(total.all)} cells answered: ${count(total.passed)} passed, ${count(total.failed)} failed, `
    + `${count(total.truncated)} truncated, ${count(total.error)} errors.`;
  const left = !over(run) && run.started && done > 0
    ? ` About ${duration((Date.now() / 1000 - run.started) / done * total.missing)} left.` : "";
  return [
    ...(over(run) ? [] : [element("progress", { max: total.all, value: done, "aria-label": "Cells answered" })]),
    element("p", {}, text + left),
    ...(run.failure ? [element("p", { class: "problem text" }, run.failure)] : []),
  ];
}

export function duration(seconds) {
  const whole = Math.max(1, Math.round(seconds));
  return whole < 90 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}

function actionsOf(run) {
  const made = [to(at.compare(run.id, ""), "Compare with…", "button")];
  if (operate) {
    made.push(to(at.start({ suite: run.suite, run_config: run.run_config, target: run.target.id, seeds: run.seeds.join(", ") }), "Run again", "button"));
    if (over(run)) {
      made.push(asking("Delete", "Delete this run?", "Its cells, answers and traces are lost. Comparisons keep their numbers.", "Delete",
        async () => {
          await store.deleteRun(run.id);
          go(at.runs());
        }));
    } else {
      made.push(button("Cancel", () => store.cancelRun(run.id), "danger"));
    }
  }
  return made;
}

function resultsOf(grid, by) {
  const rows = grid.strata.map(({ name, required }) => {
    const total = sum(grid.data.filter((group) => group.stratum === name));
    const interval = wilson(total.passed, total.scored);
    return [
      name,
      required ? "yes" : "no",
      [count(total.scored), "number"],
      [count(total.passed), "number"],
      [interval ? percent(total.passed / total.scored) : "–", "number"],
      [interval ? `${percent(interval[0])} to ${percent(interval[1])}` : "–", "number"],
      [count(total.truncated), "number"],
      [count(total.error), "number"],
      [count(total.missing), "number"],
    ];
  });
  return [
    table("By stratum", ["Stratum", "Required", ["n", "number"], ["Passed", "number"], ["Rate", "number"], ["95 % interval (Wilson)", "number"],
      ["Truncated", "number"], ["Errors", "number"], ["To go", "number"]], rows),
    heatmap("Passed by length and depth; follow a cell to its answers", layout(grid, by), tellRate),
    rowSwitch(by),
    legend(),
    element("p", { class: "exports" }, to(changed({ cells: "all", ...EVERYWHERE }), "List every cell"),
      to(changed({ cells: "all", ...EVERYWHERE, cell_state: "failed" }), "List what failed")),
  ];
}

function about(run) {
  const flags = Object.entries(run.flags);
  return [
    section("Exports", element("p", { class: "exports" }, ...[["export.csv", "CSV"], ["export.json", "JSON"], ["export.junit.xml", "JUnit"], ["report.md", "Report"]]
      .map(([file, name]) => element("a", { href: store.path("runs", run.id, file), download: true }, name)))),
    section("What was run", facts([
      ["Run", run.id],
      ["Suite", to(at.suite(...run.suite.split("/")), run.suite)],
      ["Run config", run.run_config
        ? element("a", { href: `/console/run-configs?config=${encodeURIComponent(run.run_config)}` }, run.run_config) : "none"],
      ["Target", `${run.target.name} (${run.target.kind})`],
      ["Model", run.target.model],
      ["Model's hash", run.target.model_sha256 ?? "not told"],
      ["Seeds", run.seeds.join(", ")],
      ["Prompts measured by", run.measure],
      ["Scorer", run.scorer],
      ["Asked for by", run.owner],
      ["Why", run.purpose],
      ["Created", time(run.created)],
      ["Started", run.started ? time(run.started) : "not yet"],
      ["Ended", run.ended ? time(run.ended) : "not yet"],
    ])),
    element("details", {}, element("summary", {}, "What the target tells of itself"), facts(Object.entries(run.target.facts))),
    element("details", {}, element("summary", {}, `${flags.length} effective flags`),
      table("Flags", ["Flag", "Value"], flags.map(([name, value]) => [[name, "code"], [value, "code"]]))),
  ];
}
