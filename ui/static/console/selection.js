/** What the indexer did with the watched text of a question, as a table under the answer. */
import { count, element } from "../shared/dom.js";

const COLUMNS = ["Layer", "Token", "Selected", "Rank", "Margin", "Attention"];

/** Shows the trace of one answer; texts of users are never read as HTML. */
export function selectionTable(selection) {
  const [watched] = selection.watch;
  const summary = element("summary", {}, "Selection of ", element("q", {}, watched.text));
  if (!watched.found) {
    return element("details", { class: "selection", open: true }, summary, element("p", { class: "note" }, "Not in the prompt."));
  }
  const places = watched.spans.map(({ from, to }) => `${count(from)}–${count(to - 1)}`).join(", ");
  const facts = element("p", { class: "note" }, `Tokens ${places} of ${count(selection.prompt_tokens)}; entries ${watched.entries.join(", ")}`);
  const head = element("tr", {}, ...COLUMNS.map((name) => element("th", { scope: "col" }, name)));
  const rows = selection.choices[0].queries.map((query) => row(query, query.watch[0]));
  const table = element("table", { class: "numbers" }, element("thead", {}, head), element("tbody", {}, ...rows));
  const scroll = element("div", { class: "table", tabindex: "0", role: "region", "aria-label": "Selection by layer and token" }, table);
  return element("details", { class: "selection", open: true }, summary, facts, scroll);
}

function row(query, watch) {
  const all = query.all_selected ? " (all are)" : "";
  const cells = [
    query.layer,
    count(query.position),
    `${watch.selected} of ${watch.entries.length}${all}`,
    watch.rank === null ? "–" : `${count(watch.rank)} of ${count(query.candidates)}`,
    number(watch.margin, 2),
    `${(100 * watch.mass).toFixed(1)} %`,
  ];
  return element("tr", { class: watch.selected > 0 ? null : "lost" }, ...cells.map((cell) => element("td", {}, String(cell))));
}

/** What JSON cannot write comes as a string; null stands where there is no cut. */
function number(value, digits) {
  if (typeof value === "number") {
    return (value > 0 ? "+" : "") + value.toFixed(digits);
  }
  return value ?? "–";
}
