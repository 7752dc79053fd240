/** The list of stored conversations. */
import { call, words } from "../shared/api.js";
import { byId, element } from "../shared/dom.js";

const PAGE = 30;
const PAUSE_MS = 250;

const list = byId("conversations");
const note = byId("history-note");
const more = byId("more");
const search = byId("search");

let current = null;
let last = null;
let asked = 0;

/** Marks the conversation that is open. */
export function mark(id) {
  current = id;
  for (const link of list.querySelectorAll("a")) {
    link.toggleAttribute("aria-current", link.dataset.id === id);
  }
}

/** Reads the list anew. */
export async function refresh() {
  await read(null);
}

async function read(after) {
  const mine = ++asked;
  const query = new URLSearchParams({ limit: PAGE });
  const sought = search.value.trim();
  if (sought) {
    query.set("query", sought);
  }
  if (after) {
    query.set("after", after);
  }
  try {
    const page = await call("GET", `/api/conversations?${query}`);
    if (mine === asked) {
      show(page, after !== null, sought);
    }
  } catch (failure) {
    if (mine === asked) {
      note.textContent = words(failure);
    }
  }
}

function show(page, append, query) {
  const entries = page.data.map(entry);
  if (append) {
    list.append(...entries);
  } else {
    list.replaceChildren(...entries);
  }
  last = page.last_id;
  more.hidden = !page.has_more;
  note.textContent = list.children.length > 0 ? "" : query ? "Nothing found." : "None yet.";
  mark(current);
}

function entry(conversation) {
  const time = new Date(conversation.updated * 1000);
  return element(
    "li",
    {},
    element(
      "a",
      { href: `#${conversation.id}`, "data-id": conversation.id },
      element("span", { class: "entry-title" }, conversation.title.trim() || "Untitled"),
      element("time", { datetime: time.toISOString() }, time.toLocaleString([], { dateStyle: "medium", timeStyle: "short" })),
    ),
  );
}

let pause;
search.addEventListener("input", () => {
  clearTimeout(pause);
  pause = setTimeout(refresh, PAUSE_MS);
});
more.addEventListener("click", () => read(last));
