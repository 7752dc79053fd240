/** Pieces that several views are made of. */
import { element } from "./dom.js";

/** A table with a caption; rows are lists of cells, a cell a text or [text, class]. */
export function table(caption, head, rows, rowClasses = []) {
  const body = rows.map((row, i) => element("tr", { class: rowClasses[i] || false }, ...row.map((cell, j) => line(cell, j === 0))));
  return element(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    element(
      "table",
      { class: "grid" },
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...head.map((name) => {
        const [text, kind] = Array.isArray(name) ? name : [name, ""];
        return element("th", { scope: "col", class: kind || false }, text);
      }))),
      element("tbody", {}, ...body),
    ),
  );
}

function line(cell, first) {
  const [content, kind] = Array.isArray(cell) ? cell : [cell, ""];
  const attributes = first ? { scope: "row", class: kind || false } : { class: kind || false };
  return element(first ? "th" : "td", attributes, content ?? "");
}

export function section(title, ...children) {
  return element("section", {}, element("h3", {}, title), ...children);
}

/** Names and values. */
export function facts(pairs) {
  const list = element("dl", { class: "facts" });
  for (const [name, value] of pairs) {
    list.append(element("dt", {}, name), element("dd", {}, value ?? "none"));
  }
  return list;
}

/** A word with a border; what it means is in the word, not in its colour. */
export function tag(word, kind = "") {
  return element("span", { class: `tag ${kind}`.trim() }, word);
}

export function time(seconds) {
  const date = new Date(seconds * 1000);
  return element("time", { datetime: date.toISOString() }, date.toLocaleString([], { dateStyle: "medium", timeStyle: "medium" }));
}

export function bytes(number) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let value = number;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** A difference with its sign: +8.4 %. */
export function percent(value) {
  const text = Math.abs(value).toFixed(1);
  return `${value < 0 && text !== "0.0" ? "-" : "+"}${text} %`;
}

/** Heading of a view; gets the focus when the view opens. */
export function heading(title, actions = [], tags = []) {
  return element(
    "div",
    { class: "heading" },
    element("h2", { tabindex: "-1" }, title),
    ...tags,
    element("div", { class: "actions" }, ...actions),
  );
}

/** A link to a view of this page. */
export function link(text, query, kind = "") {
  return element("a", { href: address(query), class: kind || false }, text);
}

/** Address of a view: what is in the query is what is shown. */
export function address(query) {
  return `?${new URLSearchParams(query)}`;
}
