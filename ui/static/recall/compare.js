/** Two runs of the same cells: the verdict first, then where it comes from. */
import { count, element } from "../shared/dom.js";
import { ApiError } from "../shared/api.js";
import { heading, section, table, tag } from "../shared/parts.js";
import { at, changed, to } from "./address.js";
import { sum, tellRate } from "./counts.js";
import { heatmap, layout, legend, rowSwitch } from "./heatmap.js";
import { worstRank } from "./needle.js";
import * as store from "./store.js";
import { nameOf } from "./runs.js";
import { strataTable, verdictBox } from "./verdict.js";

const CONFLICT = 409;
/** What the verdict may rest on besides two runs: the baseline once more, and fresh cells. */
const ASKED = ["baseline", "candidate", "margin", "baseline_again", "fresh_baseline", "fresh_candidate"];

const configOf = (run) => run.run_config ?? run.target.name;

/** The view: two runs are in the address, or are chosen first. */
export async function compareView(query) {
  const ids = [query.get("baseline"), query.get("candidate")];
  if (ids.some((id) => !id)) {
    return choose(...ids);
  }
  const [baseline, candidate] = await Promise.all(ids.map(store.run));
  const head = heading(`${configOf(baseline)} and ${configOf(candidate)}`, [
    to(at.compare(ids[1], ids[0]), "Swap", "button"), to(at.run(ids[0]), "Baseline", "button"), to(at.run(ids[1]), "Candidate", "button"),
  ]);
  try {
    return [head, ...await compared(baseline, candidate, query)];
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === CONFLICT) {
      return [head, ...refused(failure, baseline, candidate)];
    }
    throw failure;
  }
}

async function choose(baseline, candidate) {
  const given = baseline || candidate;
  const suite = given ? (await store.run(given)).suite : "";
  const page = await store.runs({ suite: suite.split("/")[0], state: "finished", limit: 50 });
  const others = page.data.filter((run) => run.id !== given);
  return [
    heading("Compare two runs"),
    element("p", {}, given ? "The other run, of the same suite:" : "The baseline:"),
    others.length > 0
      ? element("ul", { class: "choices" }, ...others.map((run) => element("li", {}, to(
        baseline ? changed({ candidate: run.id }) : changed({ baseline: run.id }),
        `${nameOf(run)}, ${new Date(run.created * 1000).toLocaleString()}`))))
      : element("p", { class: "note" }, "There is no finished run of this suite besides."),
  ];
}

async function compared(baseline, candidate, query) {
  const [told, a, b] = await Promise.all([
    store.compare(Object.fromEntries(ASKED.map((name) => [name, query.get(name)]))), store.grid(baseline.id), store.grid(candidate.id),
  ]);
  const by = query.get("rows") ?? "band";
  return [
    verdictBox(told),
    strataTable("By stratum; b: the candidate lost, c: it gained", told.strata),
    ...maps(a, b, told, by),
    ...discordant(told, baseline, candidate, query),
    flags(told.flags),
  ];
}

/** A, B and A − B with the same rows, columns and shades. */
function maps(a, b, told, by) {
  const groups = [
    ...a.data.map((group) => ({ ...group, side: "a" })),
    ...b.data.map((group) => ({ ...group, side: "b" })),
    ...told.differences.map((group) => ({ ...group, side: "d" })),
  ];
  const both = layout({ strata: a.strata, data: groups }, by);
  const rate = (name) => (some) => tellRate(some.filter((group) => group.side === name));
  return [
    element("div", { class: "stack" },
      heatmap("A: baseline", both, rate("a"), "a"),
      heatmap("B: candidate", both, rate("b"), "b"),
      heatmap("A − B in points, over cells with an answer on both sides: + is lost, − is gained", both, tellLoss, "d"),
      rowSwitch(by),
      legend()),
  ];
}

/** Loss of the pairs of a heatmap's cell. */
function tellLoss(groups) {
  const of = (side) => groups.filter((group) => group.side === side);
  const differ = (kind) => of("d").reduce((total, group) => total + group[kind], 0);
  const [lost, gained] = [differ("lost"), differ("gained")];
  const all = sum(of("a")).all;
  const pairs = all - differ("left_out");
  if (all === 0) {
    return null;
  }
  if (pairs === 0) {
    return { text: "?", small: ["no answer", "on a side"], words: "no answer on a side", lost: 0, gained: 0, kind: "open" };
  }
  const points = 100 * (lost - gained) / pairs;
  return {
    text: `${points > 0 ? "+" : points < 0 ? "−" : ""}${Math.abs(points).toFixed(0)}`,
    small: [`b ${lost}, c ${gained}`, `n ${pairs}`],
    words: `${lost} lost and ${gained} gained of ${pairs}`,
    lost: Math.max(0, points),
    gained: Math.max(0, -points),
  };
}

/** Cells that one side passed and the other failed. */
function discordant(told, baseline, candidate, query) {
  const chosen = (cell) => (!query.get("stratum") || cell.stratum === query.get("stratum"))
    && (!query.get("from") || (cell.length >= Number(query.get("from")) && cell.length <= Number(query.get("to"))))
    && (!query.get("phase") || cell.length % 4 === Number(query.get("phase")))
    && (!query.get("depth") || cell.placement === query.get("depth"));
  const rows = [...told.lost.map((cell) => ["lost", cell]), ...told.gained.map((cell) => ["gained", cell])].filter(([, cell]) => chosen(cell));
  const omitted = told.omitted.lost + told.omitted.gained;
  const narrowed = ["stratum", "from", "phase", "depth"].some((name) => query.has(name));
  return [
    element("div", { class: "heading" },
      element("h3", { tabindex: "-1", "data-focus": narrowed }, `Cells that differ: ${count(rows.length)}${narrowed ? " in the chosen cell of the heatmap" : ""}`),
      ...(narrowed ? [to(changed({ stratum: null, from: null, to: null, phase: null, depth: null }), "All of them", "button quiet")] : [])),
    rows.length > 0
      ? table("Lost first", ["Cell", "What", "Expected", "Baseline's answer", "Candidate's answer", ["Rank in A", "number"], ["Rank in B", "number"]],
        rows.map(([what, cell]) => [
          to(at.pair(baseline.id, candidate.id, cell.id), cell.id, "code"),
          tag(what, what === "lost" ? "bad" : ""),
          [cell.expected.join(", "), "code wide"],
          [cell.baseline.answer, "code wide text"],
          [cell.candidate.answer, "code wide text"],
          [worstRank(cell.baseline.needle), "number"],
          [worstRank(cell.candidate.needle), "number"],
        ]))
      : element("p", { class: "note" }, "None."),
    ...(omitted > 0
      ? [element("p", { class: "note" }, `${count(omitted)} more are not listed here; the heatmap counts them, and the exports of the runs have them.`)]
      : []),
  ];
}

/** Only what differs. */
function flags(told) {
  const rows = told.filter((flag) => flag.differs)
    .map((flag) => [[flag.name, "code"], [flag.baseline ?? "not told", "code"], [flag.candidate ?? "not told", "code"]]);
  return rows.length > 0
    ? table(`${rows.length} of ${told.length} flags differ`, ["Flag", "Baseline", "Candidate"], rows)
    : element("p", { class: "note" }, told.length > 0 ? "Every flag is the same." : "Neither target tells its flags.");
}

/** The server's words name each thing that differs, on either side. */
function refused(failure, baseline, candidate) {
  const differ = failure.details.code === "not_comparable";
  const said = element("div", { class: "verdict unknown" }, element("p", { class: "verdict-title" }, differ ? "NOT COMPARABLE" : "NOT COMPARED"),
    ...failure.message.split("; ").map((part) => element("p", { class: "text" }, part)));
  return differ ? [
    said,
    section("What to do", element("p", {}, "Run the candidate on the cells of the baseline: ",
      to(at.start({ suite: baseline.suite, run_config: candidate.run_config, target: candidate.target.id, seeds: baseline.seeds.join(", "),
        prompts_of: candidate.target.id === baseline.target.id ? "" : baseline.id }), "start that run"), ".")),
  ] : [said];
}
