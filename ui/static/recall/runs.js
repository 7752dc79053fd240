/** The list of runs, and the form that starts one. */
import { count, element } from "../shared/dom.js";
import { heading, tag, time } from "../shared/parts.js";
import { at, go, to } from "./address.js";
import { operate } from "./ask.js";
import { percent, sum } from "./counts.js";
import { field, form, numbers } from "./forms.js";
import { filters, paged } from "./lists.js";
import * as store from "./store.js";

export const RUN_STATES = ["waiting", "running", "finished", "cancelled", "failed"];
const KINDS = { waiting: "waiting", running: "waiting", cancelled: "bad", failed: "bad" };

/** Suite and run config of a run, for people. */
export const nameOf = (run) => `${run.suite} under ${run.run_config ?? run.target.name}`;

export const stateTag = (state) => tag(state, KINDS[state] ?? "");

/** Runs, newest first. */
export async function runsView(query) {
  const terms = Object.fromEntries(["suite", "run_config", "state", "after"].map((name) => [name, query.get(name)]));
  const [page, suites, configs] = await Promise.all([store.runs(terms), store.suites(), store.configs()]);
  return [
    heading("Runs", operate ? [to(at.start(), "Start a run", "button")] : []),
    filters(["suite", "Every suite", suites.map((suite) => suite.name)], ["run_config", "Every run config", configs.map((config) => config.name)],
      ["state", "Every state", RUN_STATES]),
    ...runTable("Runs, newest first", page),
  ];
}

/** A page of runs. */
export function runTable(caption, page) {
  return paged(caption, ["Started", "Suite", "Run config", "Target", "State", ["Passed", "number"], ["Answered", "number"], "Why"], page, (run) => {
    const total = sum([run.cells]);
    return [
      to(at.run(run.id), time(run.created)),
      run.suite,
      run.run_config ?? "–",
      run.target.name,
      stateTag(run.state),
      [total.scored > 0 ? `${percent(total.passed / total.scored)} (${count(total.passed)})` : "–", "number"],
      [`${count(total.all - total.missing)} of ${count(total.all)}`, "number"],
      run.purpose,
    ];
  }, "No run fits. A run asks every cell of a suite under one run config.");
}

/** The form; what the address holds is filled in. */
export async function startView(query) {
  const [suites, configs, targets] = await Promise.all([store.suites(), store.configs(), store.targets()]);
  const fields = [
    field("suite", "Suite", {
      kind: suites.map((suite) => [suite.name, `${suite.name}: ${suite.description}`]),
      value: query.get("suite") ?? suites[0]?.name ?? "",
      hint: "The latest version is asked.",
    }),
    field("run_config", "Run config", {
      kind: [["", "none: the target has flags of its own"], ...configs.map((config) => [config.name, `${config.name}: ${config.description}`])],
      value: query.get("run_config") ?? (query.get("target") ? "" : "baseline"),
      hint: "Its latest version gets a lane of its own beside what is served. Of another server it is only noted.",
    }),
    field("target", "Target", {
      kind: [["", "this server's model"], ...targets.map((target) => [target.id, target.name])],
      value: query.get("target") ?? "",
      hint: "Servers are added under Targets.",
    }),
    field("seeds", "Seeds", {
      value: query.get("seeds") ?? "1",
      hint: "Whole numbers, such as 1, 2. Each asks every cell of the suite once, with other texts and secrets.",
    }),
    field("prompts_of", "The same prompts as the run", {
      value: query.get("prompts_of") ?? "",
      hint: "Its id, to compare with a run whose prompts were measured by another tokenizer; empty else.",
    }),
  ];
  return [
    heading("Start a run"),
    form(fields, "Start", async ({ suite, seeds, ...rest }) => {
      const set = Object.fromEntries(Object.entries(rest).filter(([, value]) => value));
      const begun = await store.startRun({ suite, seeds: numbers(seeds), ...set });
      go(at.run(begun.id));
    }, at.runs()),
  ];
}
