/** A verdict in words first, and the numbers of every stratum. */
import { count, element } from "../shared/dom.js";
import { table } from "../shared/parts.js";
import { percent } from "./counts.js";

const KINDS = { SAFE: "safe", REGRESSION: "regression" };

/** The verdict in capitals, its reason in a sentence, and what would settle it. */
export function verdictBox(told) {
  return element("div", { class: `verdict ${KINDS[told.verdict] ?? "unknown"}` },
    element("p", { class: "verdict-title" }, told.verdict),
    element("p", { class: "text" }, told.sentence),
    ...needed(told).map((text) => element("p", { class: "needed" }, text)),
    ...(told.notes ?? []).map((note) => element("p", { class: "note" }, note)));
}

export function verdictTag(title) {
  // Schedules spell it as a word of the API.
  const words = title?.replaceAll("_", " ").toUpperCase();
  return words ? element("span", { class: `verdict-tag ${KINDS[words] ?? "unknown"}` }, words) : "–";
}

/** What is still to ask before more can be said. */
function needed(told) {
  if (told.verdict !== "NOT ENOUGH EVIDENCE") {
    return [];
  }
  const open = (told.strata ?? []).filter((stratum) => stratum.required && !stratum.safe);
  const cells = open.map((stratum) => [stratum.name, stratum.cells_needed.for_safe ?? stratum.cells_needed.for_regression])
    .filter(([, number]) => number > 0)
    .map(([name, number]) => `${count(number)} in ${name}`);
  const fresh = Object.entries(told.fresh_cells_to_ask ?? {}).map(([name, number]) => `${count(number)} in ${name}`);
  // Even if all of them agree, n haystacks give no smaller probability than 1 in 2 to the n.
  const few = open.filter((stratum) => stratum.b > stratum.c && 0.5 ** stratum.tests.haystacks > told.level)
    .map((stratum) => `${count(stratum.tests.haystacks)} in ${stratum.name}`);
  return [
    ...(few.length > 0 ? [`Too few haystacks to show a loss: ${few.join("; ")}. More seeds give more haystacks.`] : []),
    ...(fresh.length > 0 ? [`A loss must repeat itself on fresh cells first: ${fresh.join("; ")}. Judging the run config asks them.`] : []),
    ...(cells.length > 0 ? [`Cells still needed, at these rates: ${cells.join("; ")}. More seeds give more cells.`] : []),
  ];
}

export function strataTable(caption, strata) {
  const head = ["Stratum", "Required", ["n", "number"], ["A passed", "number"], ["B passed", "number"], ["b", "number"], ["c", "number"], ["Loss", "number"],
    ["95 % interval", "number"], ["p, pairs", "number"], ["p, adjusted", "number"], ["p, haystacks", "number"], ["Noise A/A", "number"],
    ["Left out", "number"], "In words"];
  return table(caption, head, strata.map((stratum) => [
    stratum.name,
    stratum.required ? "yes" : "no",
    [count(stratum.n), "number"],
    [count(stratum.baseline.passed), "number"],
    [count(stratum.candidate.passed), "number"],
    [count(stratum.b), "number"],
    [count(stratum.c), "number"],
    [points(stratum.loss.estimate), "number"],
    [`${points(stratum.loss.low95)} to ${points(stratum.loss.high95)}`, "number"],
    [probability(stratum.tests.mcnemar_one_sided), "number"],
    [probability(stratum.tests.mcnemar_adjusted), "number"],
    [probability(stratum.tests.sign_flip), "number"],
    [stratum.noise.measured ? `${count(stratum.noise.discordant)} of ${count(stratum.noise.n)}` : "not measured", "number"],
    [count(stratum.left_out.pairs), "number"],
    [stratum.sentence, "wide text"],
  ]));
}

function points(share) {
  return typeof share === "number" ? percent(share).replace("-", "−") : "–";
}

function probability(p) {
  if (typeof p !== "number") {
    return "–";
  }
  return p < 1e-4 ? p.toExponential(0) : p.toFixed(4);
}
