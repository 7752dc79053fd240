/** A grid of length × depth: every cell says its numbers; its shade only repeats them. */
import { element } from "../shared/dom.js";
import { to, changed } from "./address.js";

/** Most tokens that the lengths of one row span, one of each phase. */
const BAND = 4;
/** Shade of 100 points, in percent of the colour: what is written stays readable. */
const DARKEST = 62;

/**
 * Rows and columns of a run's grid: strata, and data with stratum, length, placement and numbers.
 * {@code by}: band (lengths that differ by their phase only in one row), length, or phase (length mod 4).
 */
export function layout({ strata, data: groups }, by) {
  const columns = [...new Set(groups.map((group) => group.placement))].sort((a, b) => depthOf(a) - depthOf(b));
  const rows = new Map();
  for (const { name: stratum, phases } of strata) {
    const own = groups.filter((group) => group.stratum === stratum);
    // Only phases move lengths; where a suite names lengths that are near each other, each is meant.
    const bandOf = bands(own.map((group) => group.length), by === "band" && phases.length === 0 ? "length" : by);
    for (const group of own) {
      const band = bandOf(group.length);
      const key = JSON.stringify([stratum, band]);
      if (!rows.has(key)) {
        rows.set(key, { stratum, band, low: group.length, high: 0, groups: [] });
      }
      const row = rows.get(key);
      row.low = Math.min(row.low, group.length);
      row.high = Math.max(row.high, group.length);
      row.groups.push(group);
    }
  }
  const order = strata.map((stratum) => stratum.name);
  const rank = (row) => [order.indexOf(row.stratum), by === "phase" ? row.band : row.low];
  return { by, columns, rows: [...rows.values()].sort((a, b) => rank(a)[0] - rank(b)[0] || rank(a)[1] - rank(b)[1]) };
}

function bands(lengths, by) {
  if (by === "phase") {
    return (length) => length % BAND;
  }
  if (by === "length") {
    return (length) => length;
  }
  const starts = [];
  for (const length of [...new Set(lengths)].sort((a, b) => a - b)) {
    if (starts.length === 0 || length >= starts[starts.length - 1] + BAND) {
      starts.push(length);
    }
  }
  return (length) => starts.filter((start) => start <= length).pop();
}

/** Placements in the order of the text; names stand where they mean. */
function depthOf(placement) {
  const named = { start: 0, middle: 0.5, end: 1, "in-window": 1.1, repeated: 1.2 };
  return named[placement] ?? Number(placement);
}

export function depthName(placement) {
  const depth = Number(placement);
  return Number.isNaN(depth) ? placement : `${Math.round(depth * 1000) / 10} %`;
}

export function rowName(row, by) {
  const format = (number) => number.toLocaleString("en");
  if (by === "phase") {
    return `length mod 4 = ${row.band}`;
  }
  return row.low === row.high ? `${format(row.low)} tokens` : `${format(row.low)} to ${format(row.high)} tokens`;
}

/**
 * The table. {@code tell(groups)} gives what a cell says: {text, small, words, lost, gained, kind}: small has
 * further lines, lost and gained are points, or null for nothing.
 */
export function heatmap(caption, grid, tell, anchor = "heat") {
  const chosen = new URLSearchParams(location.search);
  const body = grid.rows.map((row, i) => element(
    "tr",
    {},
    element("th", { scope: "row" }, element("span", { class: "stratum" }, row.stratum),
      element("span", { class: "note" }, rowName(row, grid.by))),
    ...grid.columns.map((column) => {
      const told = tell(row.groups.filter((group) => group.placement === column));
      if (told === null) {
        return element("td", { class: "heat none" }, element("span", { class: "hidden" }, "no cells"), "–");
      }
      const address = {
        stratum: row.stratum,
        ...(grid.by === "phase" ? { phase: row.band, from: null, to: null } : { phase: null, from: row.low, to: row.high }),
        depth: column, after: null,
      };
      const here = ["stratum", "phase", "from", "to", "depth"].every((name) => (chosen.get(name) ?? "") === String(address[name] ?? ""));
      const link = to(changed(address), "", "heat-link");
      link.append(element("b", {}, told.text), ...told.small.map((line) => element("small", {}, line)));
      link.setAttribute("aria-label", `${row.stratum}, ${rowName(row, grid.by)}, depth ${depthName(column)}: ${told.words}`);
      link.toggleAttribute("aria-current", here);
      link.id = `${anchor}-${i}-${grid.columns.indexOf(column)}`;
      const box = element("td", { class: `heat ${told.kind ?? ""}`.trim() }, link);
      // Set by script: the policy allows no style attributes in markup.
      box.style.setProperty("--shade", `${Math.min(1, Math.max(told.lost, told.gained) / 100) * DARKEST}%`);
      box.classList.toggle("gained", told.gained > told.lost);
      return box;
    }),
  ));
  return element(
    "div",
    { class: "scroll", role: "region", tabindex: "0", "aria-label": caption },
    element(
      "table",
      { class: "grid heatmap" },
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Length \\ depth"),
        ...grid.columns.map((column) => element("th", { scope: "col" }, depthName(column))))),
      element("tbody", {}, ...body),
    ),
  );
}

/** What the shades mean; the same for every heatmap of this page. */
export function legend() {
  const steps = [0, 25, 50, 75, 100].map((lost) => {
    const box = element("span", { class: "heat step" }, `${lost}`);
    box.style.setProperty("--shade", `${lost / 100 * DARKEST}%`);
    return box;
  });
  return element("p", { class: "note legend" }, "Shade: points lost, ", ...steps,
    " of 100; under a run what is missing to 100 %, under A − B what B lost. Gains are hatched.");
}

/** The switch of what a row is. */
export function rowSwitch(by) {
  const choice = (value, text) => {
    const link = to(changed({ rows: value === "band" ? null : value, stratum: null, from: null, to: null, phase: null, depth: null }), text);
    link.toggleAttribute("aria-current", value === by);
    return link;
  };
  return element("p", { class: "switch" }, "Rows: ", choice("band", "lengths with their phases"), choice("length", "every length"),
    choice("phase", "length mod 4"));
}
