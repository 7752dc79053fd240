/** Suites: what they ask, and uploading a version. */
import { count, element } from "../shared/dom.js";
import { words } from "../shared/api.js";
import { facts, heading, section, table, time } from "../shared/parts.js";
import { at, go, to } from "./address.js";
import { operate } from "./ask.js";
import { field, form } from "./forms.js";
import * as store from "./store.js";

export async function suitesView() {
  const suites = await store.suites();
  return [
    heading("Suites", operate ? [to(at.suite("", ""), "Upload a suite", "button")] : []),
    table("The latest version of every suite", ["Suite", "Version", ["Cells a seed", "number"], "Strata", "What it is for"], suites.map((suite) => [
      to(at.suite(suite.name), suite.name), String(suite.version), [count(suite.cells), "number"], String(suite.strata.length), [suite.description, "wide text"],
    ])),
  ];
}

/** One version with its YAML; without a name, the form for a new one. */
export async function suiteView(query) {
  const name = query.get("name");
  if (!name) {
    return [heading("Upload a suite"), upload("", "?view=suites")];
  }
  const [suite, versions, plan] = await Promise.all([
    store.suite(name, query.get("version")), store.suiteVersions(name), store.suitePlan(name, query.get("version")).catch((failure) => failure),
  ]);
  const yaml = await store.suiteYaml(name, suite.version);
  return [
    heading(`${suite.name}/${suite.version}`, [
      ...(operate ? [to(at.start({ suite: suite.name }), "Start a run", "button")] : []),
      element("a", { href: store.suiteYamlPath(name, suite.version), class: "button", download: `${suite.name}-${suite.version}.yaml` }, "Download"),
    ]),
    element("p", { class: "text" }, suite.description || "No description."),
    table("Strata", ["Stratum", "Required", "Task", "Lengths", "Placements", "Phases", ["Haystacks", "number"], ["Questions", "number"], ["Cells a seed", "number"]],
      suite.strata.map((stratum) => [
        stratum.name, stratum.required ? "yes" : "no", stratum.task, stratum.lengths.join(", "), stratum.placements.join(", "),
        (stratum.phases ?? []).join(", ") || "as they come", [count(stratum.haystacks), "number"], [count(stratum.questions), "number"],
        [count(stratum.cells), "number"],
      ])),
    planned(plan),
    section("YAML", element("pre", { class: "said", tabindex: "0" }, yaml)),
    facts([["Hash of what is asked", suite.hash], ["By", suite.built_in ? "comes with the program" : suite.author], ["Made", time(suite.created)]]),
    section("Versions", element("ul", { class: "choices" }, ...versions.map((version) => element("li", {},
      to(at.suite(name, version.version), `${name}/${version.version}`), version.version === suite.version ? " (shown)" : "")))),
    ...(operate ? [element("details", {}, element("summary", {}, "Upload a new version"), upload(yaml, at.suite(name)))] : []),
  ];
}

/** What a run would ask of the loaded model, or why that is not known. */
function planned(plan) {
  if (plan instanceof Error) {
    return element("p", { class: "note text" }, words(plan));
  }
  return section(`With ${plan.model}`, element("p", {}, `One seed asks ${count(plan.cells)} cells, ${count(plan.prompt_tokens)} tokens; the longest prompt has `
    + `${count(plan.longest)}${plan.fits ? "" : `, which does not fit into the ${count(plan.max_context)} of this server`}.`));
}

function upload(yaml, cancel) {
  const file = element("input", { type: "file", accept: ".yaml,.yml", "aria-label": "Take the YAML of a file" });
  const text = field("yaml", "YAML", { value: yaml, kind: "area", api: "", hint: "A version never changes: what differs gets the next one." });
  file.addEventListener("change", async () => {
    if (file.files.length > 0) {
      text.control.value = await file.files[0].text();
    }
  });
  text.box.append(file);
  return form([text], "Save", async ({ yaml: written }) => {
    const saved = await store.saveSuite(written);
    go(at.suite(saved.name, saved.version));
  }, cancel);
}
