/** One cell: what was asked, what was answered, and what the indexer did with the needle. */
import { count, element } from "../shared/dom.js";
import { facts, heading, section, time } from "../shared/parts.js";
import { at, to } from "./address.js";
import { cellTag } from "./cells.js";
import { depthName } from "./heatmap.js";
import { trace } from "./needle.js";
import { nameOf } from "./runs.js";
import * as store from "./store.js";

/** The view of a cell of a run. */
export async function cellView(query) {
  const id = query.get("id");
  const [run, cell] = await Promise.all([store.run(id), store.cell(id, query.get("cell"))]);
  return [
    heading(cell.id, [to(at.run(id), "The run", "button")], [cellTag(cell.state)]),
    element("p", { class: "note" }, nameOf(run)),
    outcome(cell),
    answer(cell),
    trace(cell),
    prompt(cell),
    about(cell),
  ];
}

/** The view of a cell in two runs, side by side. */
export async function pairView(query) {
  const sides = [["Baseline", query.get("baseline")], ["Candidate", query.get("candidate")]];
  const read = await Promise.all(sides.map(([, id]) => Promise.all([store.run(id), store.cell(id, query.get("cell"))])));
  return [
    heading(query.get("cell"), [to(at.compare(sides[0][1], sides[1][1]), "The comparison", "button")]),
    element("div", { class: "pair" }, ...read.map(([run, cell], i) => element("section", {},
      element("h3", {}, `${sides[i][0]}: `, to(at.cell(run.id, cell.id), run.run_config ?? run.target.name)),
      element("p", {}, cellTag(cell.state)),
      outcome(cell), answer(cell), trace(cell)))),
    prompt(read[0][1]),
  ];
}

function outcome(cell) {
  return element("div", { class: "stack" },
    ...(cell.reason ? [element("p", { class: "problem text" }, cell.reason)] : []),
    facts([
      ["Expected", element("code", { class: "text" }, (cell.expected ?? []).join(", "))],
      ["Edit distance", cell.distance ?? "–"],
      ["End of the answer", cell.finish_reason || "none"],
      ["Tokens", `${count(cell.prompt_tokens ?? 0)} prompt + ${count(cell.answer_tokens ?? 0)} answer`],
      ["First token", cell.first_token_ms === null || cell.first_token_ms === undefined ? "–" : `${count(Math.round(cell.first_token_ms))} ms`],
      ["Whole answer", cell.total_ms === null || cell.total_ms === undefined ? "–" : `${count(Math.round(cell.total_ms))} ms`],
    ]));
}

function answer(cell) {
  return section("Answer", element("pre", { class: "text said", tabindex: "0" }, cell.answer || "No answer."));
}

function prompt(cell) {
  if (!cell.prompt) {
    return section("Prompt", element("p", { class: "note" }, "It cannot be built again here: no model is loaded that measures as this run did."));
  }
  const same = !cell.prompt_sha256 || cell.prompt.sha256 === cell.prompt_sha256;
  return section("Prompt, built again", ...(same ? [] : [element("p", { class: "problem" }, "It is not the one that was asked: its hash differs.")]),
    ...cell.prompt.messages.map((message) => element("div", {},
      element("p", { class: "note" }, message.role),
      element("pre", { class: "text said prompt", tabindex: "0" }, message.content))));
}

function about(cell) {
  return section("The cell", facts([
    ["Stratum", cell.stratum],
    ["Task", cell.task],
    ["Length", `${count(cell.length)} tokens, mod 4 = ${cell.length % 4}`],
    ["Depth", depthName(cell.placement)],
    ["Haystack", cell.haystack],
    ["Seed", String(cell.seed)],
    ["Prompt's hash", cell.prompt_sha256 ?? "none"],
    ["Asked by server", cell.instance ?? "none"],
    ["Ended", cell.ended ? time(cell.ended) : "not yet"],
  ]));
}
