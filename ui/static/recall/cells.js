/** The cells of a run that a filter or a cell of the heatmap has chosen. */
import { element } from "../shared/dom.js";
import { tag } from "../shared/parts.js";
import { at, changed, to } from "./address.js";
import { STATES } from "./counts.js";
import { depthName } from "./heatmap.js";
import { filters, paged } from "./lists.js";
import { worstRank } from "./needle.js";
import * as store from "./store.js";

const CHOICES = ["stratum", "from", "to", "phase", "depth", "cells"];
const KINDS = { failed: "bad", error: "bad", truncated: "waiting", waiting: "waiting", claimed: "waiting" };

export const cellTag = (state) => tag(state, KINDS[state] ?? "");

/** What the address chooses, or null. */
export function chosenCells(query) {
  return CHOICES.some((name) => query.has(name)) || query.has("cell_state")
    ? Object.fromEntries([...CHOICES, "cell_state", "after"].map((name) => [name, query.get(name)]))
    : null;
}

/** The list, under its heading. */
export async function cellList(run, chosen) {
  const page = await store.cells(run.id, {
    stratum: chosen.stratum, length_from: chosen.from, length_to: chosen.to, phase: chosen.phase, placement: chosen.depth, state: chosen.cell_state, after: chosen.after,
  });
  return [
    element("div", { class: "heading" },
      element("h3", { tabindex: "-1", "data-focus": true }, title(chosen)),
      to(changed({ stratum: null, from: null, to: null, phase: null, depth: null, cells: null, cell_state: null, after: null }), "Close", "button quiet")),
    filters(["cell_state", "Every state", STATES]),
    ...paged("Cells", ["Cell", "State", "Expected", "Answer", ["Distance", "number"], ["Worst rank", "number"], "Why not passed"], page, (cell) => [
      to(at.cell(run.id, cell.id), cell.id, "code"),
      cellTag(cell.state),
      [(cell.expected ?? []).join(", "), "code wide"],
      [cell.answer ?? "", "code wide text"],
      [cell.distance ?? "–", "number"],
      [worstRank(cell.needle), "number"],
      [cell.reason ?? "", "wide text"],
    ], "No cell fits."),
  ];
}

function title(chosen) {
  const parts = [];
  if (chosen.stratum) {
    parts.push(chosen.stratum);
  }
  if (chosen.from) {
    parts.push(chosen.from === chosen.to ? `${chosen.from} tokens` : `${chosen.from} to ${chosen.to} tokens`);
  }
  if (chosen.phase) {
    parts.push(`length mod 4 = ${chosen.phase}`);
  }
  if (chosen.depth) {
    parts.push(`depth ${depthName(chosen.depth)}`);
  }
  return parts.length > 0 ? `Cells: ${parts.join(", ")}` : "Cells";
}
