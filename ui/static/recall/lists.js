/** Lists that come in pages; page and filters are in the address. */
import { element } from "../shared/dom.js";
import { table } from "../shared/parts.js";
import { changed, go, to } from "./address.js";

/** A page of a list, with the ways to the others. {@code row} makes the cells of one entry. */
export function paged(caption, head, page, row, nothing) {
  const after = new URLSearchParams(location.search).get("after");
  const ways = [];
  if (after) {
    ways.push(to(changed({ after: null }), "First page", "button"));
  }
  if (page.has_more) {
    ways.push(to(changed({ after: page.last_id }), "Next page", "button"));
  }
  return [
    page.data.length > 0
      ? table(caption, head, page.data.map(row))
      : element("p", { class: "note" }, after ? "Nothing comes after that." : nothing),
    ...(ways.length > 0 ? [element("nav", { class: "pages-of-list", "aria-label": `Pages of ${caption}` }, ...ways)] : []),
  ];
}

/** Selections that filter a list; each is in the address. */
export function filters(...choices) {
  const terms = new URLSearchParams(location.search);
  return element("div", { class: "filters", role: "search" }, ...choices.map(([name, label, values]) => {
    const current = terms.get(name) ?? "";
    const offered = current && !values.includes(current) ? [...values, current] : values;
    const select = element("select", { name, "aria-label": label },
      element("option", { value: "" }, label),
      ...offered.map((value) => element("option", { value }, value)));
    select.value = current;
    select.addEventListener("change", () => go(changed({ [name]: select.value, after: null })));
    return select;
  }));
}
