/** Comparisons: what the server was asked to judge, and the newest verdict about every config. */
import { words } from "../shared/api.js";
import { element } from "../shared/dom.js";
import { facts, heading, section, table, time } from "../shared/parts.js";
import { at, go, to } from "./address.js";
import { operate } from "./ask.js";
import { field, form, number, numbers } from "./forms.js";
import { paged } from "./lists.js";
import { runTable, stateTag } from "./runs.js";
import * as store from "./store.js";
import { strataTable, verdictBox, verdictTag } from "./verdict.js";

const POLL_MS = 1500;
const LOOKED_AT = 100;
const RUNS = { baseline: "Baseline", candidate: "Candidate", baseline_again: "Baseline once more", fresh_baseline: "Baseline on fresh cells",
  fresh_candidate: "Candidate on fresh cells" };
const EXPORTS = [["report.md", "Report"], ["export.junit.xml", "JUnit"], ["export.json", "JSON"]];

/** One side for people: its run config, and where it runs if not here. */
const sideOf = (side) => [side.run_config, side.target].filter(Boolean).join(" on ");

/** The front: one answer for every config that was judged. */
export async function overview() {
  const [comparisons, runs] = await Promise.all([store.comparisons({ limit: LOOKED_AT }), store.runs({ limit: 10 })]);
  const newest = new Map();
  for (const told of comparisons.data.filter((one) => one.verdict)) {
    const key = JSON.stringify([told.candidate, told.baseline, told.suite.split("/")[0]]);
    if (!newest.has(key)) {
      newest.set(key, told);
    }
  }
  const rows = [...newest.values()].map((told) => [
    to(at.comparison(told.id), sideOf(told.candidate)), verdictTag(told.verdict), [told.sentence, "wide text"], sideOf(told.baseline), told.suite, time(told.created),
  ]);
  return [
    heading("Is it safe to ship?", operate ? [to(at.judge(), "Judge a run config", "button")] : []),
    rows.length > 0
      ? table("The newest verdict about every config", ["Run config", "Verdict", "Why", "Against", "Suite", "Asked"], rows)
      : element("p", { class: "note" }, "No run config was judged yet. A verdict compares a run config with a baseline, cell by cell."),
    ...runTable("The newest runs", { ...runs, has_more: false }),
    element("p", {}, to(at.runs(), "All runs")),
  ];
}

export async function comparisonsView(query) {
  const page = await store.comparisons({ after: query.get("after") });
  return [
    heading("Comparisons", [...(operate ? [to(at.judge(), "Judge a run config", "button")] : []), to(at.compare("", ""), "Compare two runs", "button")]),
    ...paged("Comparisons, newest first", ["Asked", "Suite", "Baseline", "Candidate", "State", "Verdict", "Why"], page, (told) => [
      to(at.comparison(told.id), time(told.created)), told.suite, sideOf(told.baseline), sideOf(told.candidate), stateTag(told.state),
      verdictTag(told.verdict), [told.sentence ?? told.failure ?? "", "wide text"],
    ], "None was asked for."),
  ];
}

/** One comparison; renews itself until it is over. */
export async function comparisonView(query, signal) {
  const id = query.get("id");
  const root = element("div", { class: "stack", id: "comparison" });
  const trouble = element("p", { class: "note", role: "status", hidden: true });
  const show = (told) => root.replaceChildren(...parts(told));
  const poll = async () => {
    if (signal.aborted) {
      return;
    }
    let over = false;
    try {
      const told = await store.comparison(id);
      if (signal.aborted) {
        return;
      }
      show(told);
      trouble.hidden = true;
      over = told.ended !== null;
    } catch (failure) {
      trouble.textContent = words(failure);
      trouble.hidden = false;
    }
    if (!over) {
      setTimeout(poll, POLL_MS);
    }
  };
  const first = await store.comparison(id);
  show(first);
  if (first.ended === null) {
    setTimeout(poll, POLL_MS);
  }
  return [root, trouble];
}

function parts(told) {
  const runs = Object.entries(told.runs).filter(([, id]) => id);
  const { baseline, candidate, ...others } = told.runs;
  return [
    heading(`${sideOf(told.candidate)} against ${sideOf(told.baseline)}`, told.report && baseline && candidate
      ? [to(at.compare(baseline, candidate, { margin: told.margin, ...others }), "Heatmaps and cells", "button")] : [], [stateTag(told.state)]),
    ...outcome(told),
    facts([
      ["Suite", to(at.suite(...told.suite.split("/")), told.suite)], ["Margin", `${told.margin * 100} points`], ["Asked by", told.owner], ["Why", told.purpose],
      ["Asked", time(told.created)], ["Ended", told.ended ? time(told.ended) : "not yet"],
      ["The same in a shell", element("code", { class: "text" }, told.command)],
    ]),
    section("Its runs", element("ul", { class: "choices" }, ...runs.map(([name, id]) => element("li", {}, to(at.run(id), RUNS[name] ?? name))))),
    ...(told.report ? [section("Exports", element("p", { class: "exports" }, ...EXPORTS.map(([file, name]) =>
      element("a", { href: store.path("comparisons", told.id, file), download: true }, name))))] : []),
  ];
}

function outcome(told) {
  if (told.failure) {
    return [element("p", { class: "problem text" }, told.failure)];
  }
  if (!told.report) {
    return [element("p", { class: "note" }, told.state === "confirming"
      ? "Answers seem lost: fresh cells are asked before anything is said." : "Both sides are asked, and the baseline once more for its noise."),
    element("progress", { "aria-label": "Runs in progress" })];
  }
  const fresh = told.report.fresh?.strata ?? [];
  return [
    verdictBox(told.report),
    strataTable("By stratum; b: the candidate lost, c: it gained", told.report.strata),
    ...(fresh.length > 0 ? [strataTable("The same on fresh cells", fresh)] : []),
  ];
}

/** The form that asks for a verdict. */
export async function judgeView(query) {
  const [suites, configs, targets] = await Promise.all([store.suites(), store.configs(), store.targets()]);
  const names = configs.map((config) => [config.name, `${config.name}: ${config.description}`]);
  const fields = [
    field("suite", "Suite", { kind: suites.map((suite) => [suite.name, `${suite.name}: ${suite.description}`]), value: query.get("suite") ?? "smoke",
      hint: "Every required stratum must be safe." }),
    field("baseline", "Baseline", { kind: names, value: query.get("baseline") ?? "baseline", hint: "What is known to be good." }),
    field("candidate", "Candidate", { kind: names, value: query.get("candidate") ?? "fp8-index", hint: "What is asked about." }),
    field("margin", "Margin, in points", { value: query.get("margin") ?? "5", hint: "Losses below it are accepted: 0.1 to 50." }),
    field("target", "Target", { kind: [["", "this server's model"], ...targets.map((target) => [target.id, target.name])], value: query.get("target") ?? "",
      hint: "Asked under both." }),
    field("seeds", "Seeds", { value: query.get("seeds") ?? "1", hint: "Each asks every cell once; more of them give more evidence." }),
  ];
  return [
    heading("Judge a run config"),
    element("p", { class: "note" }, "Asks baseline and candidate the same cells, the baseline twice to measure its noise, and fresh cells to repeat a loss."),
    form(fields, "Judge", async ({ margin, seeds, target, ...rest }) => {
      const points = number(margin);
      const begun = await store.startComparison({ ...rest, ...(target ? { target } : {}), seeds: numbers(seeds), margin: typeof points === "number" ? points / 100 : points });
      go(at.comparison(begun.id));
    }, at.comparisons()),
  ];
}
