/** One run config, and two side by side. */
import { element } from "../shared/dom.js";
import { CostPanel, costSection } from "./cost.js";
import { address, facts, heading, link, section, table, tag, time } from "../shared/parts.js";
import * as store from "./store.js";

/** The view of a run config beside the active one. */
export async function detail(id, active, names, actions) {
  const config = await store.readConfig(id);
  const [diff, versions] = await Promise.all([store.readDiff(active, config.id), store.readVersions(config.name)]);
  const isActive = config.id === active;
  const buttons = [compare(config.id, names)];
  if (actions) {
    buttons.push(link("Edit as a new version", { edit: config.id }, "button"));
    if (!isActive) {
      buttons.push(actions.activate(config));
    }
  }
  const panel = new CostPanel((terms) => store.readCost(config.id, terms));
  panel.now();
  return [
    heading(config.id, buttons, isActive ? [tag("active")] : []),
    element("p", { class: "text" }, config.description || "No description."),
    facts([
      ["Author", config.author],
      ["Made", time(config.created)],
      ["File", element("a", { href: store.configPath(`${config.id}`, ".yaml") }, `${config.name}-${config.version}.yaml`)],
    ]),
    flagTable(diff, isActive),
    samplingTable(diff),
    costSection(panel),
    section("Versions", element("ul", { class: "versions" }, ...versions.data.map((version) => element(
      "li",
      {},
      link(version.id, { config: version.id }),
      ` by ${version.author}, `,
      time(version.created),
      version.id === active ? " (active)" : "",
    )))),
  ];
}

function flagTable(diff, isActive) {
  const rows = diff.flags.map((flag) => [
    [flag.name, "code"],
    [flag.b.value, "code"],
    flag.b.origin,
    ...(isActive ? [] : [[flag.a.value, "code"], flag.differs ? "differs" : ""]),
  ]);
  const head = ["Flag", "Value", "From", ...(isActive ? [] : ["Active", "Difference"])];
  return table("Flags", head, rows, diff.flags.map((flag) => (flag.differs && !isActive ? "differs" : "")));
}

function samplingTable(diff) {
  const set = diff.sampling.filter((field) => field.b !== null);
  return set.length > 0
    ? table("Sampling, where a request leaves it out", ["Field", "Value"], set.map((field) => [[field.name, "code"], String(field.b)]))
    : element("p", { class: "note" }, "Sampling is left to the request.");
}

/** Opens the view of two run configs. */
function compare(id, names) {
  const select = element(
    "select",
    { "aria-label": `Compare ${id} with` },
    element("option", { value: "" }, "Compare with..."),
    ...names.filter((name) => name !== id).map((name) => element("option", { value: name }, name)),
  );
  select.addEventListener("change", () => {
    if (select.value) {
      select.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: address({ a: select.value, b: id }) }));
    }
  });
  return select;
}

/** The view of two run configs. */
export async function comparison(a, b) {
  const diff = await store.readDiff(a, b);
  const different = diff.flags.filter((flag) => flag.differs);
  const same = diff.flags.filter((flag) => !flag.differs);
  const sampling = diff.sampling.filter((field) => field.differs);
  const row = (flag) => [[flag.name, "code"], [flag.a.value, "code"], flag.a.origin, [flag.b.value, "code"], flag.b.origin];
  const head = ["Flag", diff.a, "From", diff.b, "From"];
  return [
    heading(`${diff.a} and ${diff.b}`, [
      link("Swap", { a: diff.b, b: diff.a }, "button"),
      link(diff.a, { config: diff.a }, "button"),
      link(diff.b, { config: diff.b }, "button"),
    ]),
    different.length > 0
      ? table(`${different.length} flags differ`, head, different.map(row))
      : element("p", {}, "Every flag is the same."),
    ...(sampling.length > 0
      ? [table("Sampling differs", ["Field", diff.a, diff.b], sampling.map((field) => [
        [field.name, "code"], String(field.a ?? "unset"), String(field.b ?? "unset"),
      ]))]
      : []),
    element("details", {}, element("summary", {}, `${same.length} flags are the same`), table("The same in both", head, same.map(row))),
  ];
}
