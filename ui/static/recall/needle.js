/** What the indexer did with the needle of a cell: was it selected, and how near was it to the cut. */
import { count, element } from "../shared/dom.js";
import { section, table } from "../shared/parts.js";

/** The trace of a cell, by layer, stage and value. */
export function trace(cell) {
  const needle = cell.needle ?? [];
  if (needle.length === 0) {
    return section("What the indexer did with the needle", element("p", { class: "note" }, "Nothing is known of it."));
  }
  const missed = needle.filter((look) => look.selected === 0).length;
  const several = (cell.expected ?? []).length > 1;
  const head = ["Layer", "Stage", ...(several ? ["Value"] : []), "Selected", ["Rank", "number"], ["Budget", "number"], ["Margin", "number"],
    ["Attention", "number"], ["Queries that selected it", "number"]];
  const rows = needle.map((look) => [
    String(look.layer),
    look.stage,
    ...(several ? [[cell.expected[look.value] ?? String(look.value), "code"]] : []),
    look.selected > 0 ? `${look.selected} of ${look.entries} entries` : "NOT SELECTED",
    [rank(look), "number"],
    [count(look.budget), "number"],
    [signed(look.margin), "number"],
    [typeof look.mass === "number" ? `${(100 * look.mass).toFixed(1)} %` : "–", "number"],
    [`${count(look.selected_queries)} of ${count(look.queries)}`, "number"],
  ]);
  return section(
    "What the indexer did with the needle",
    element("p", {}, missed === 0 ? "Every layer and stage selected some of it." : `${missed} of ${needle.length} layers and stages selected nothing of it.`),
    table("The needle's best entry", head, rows, needle.map((look) => (look.selected > 0 ? "" : "differs"))),
    element("p", { class: "note" }, "Prefill: the query of the prompt's last token. Decode: the answer's query where the value ranked best. "
      + "Margin: score above the lowest selected one. Not selected is a hint, not a proof."),
  );
}

/** The worst rank that the needle had: where it was nearest to being lost. */
export function worstRank(needle) {
  return rank((needle ?? []).filter((look) => look.rank).sort((a, b) => b.rank - a.rank)[0]);
}

function rank(look) {
  if (!look?.rank) {
    return "–";
  }
  return `${count(look.rank)} of ${count(look.candidates)}${look.candidates <= look.budget ? " (all selected)" : ""}`;
}

function signed(value) {
  return typeof value === "number" ? `${value > 0 ? "+" : ""}${value.toFixed(3)}`.replace("-", "−") : "–";
}
