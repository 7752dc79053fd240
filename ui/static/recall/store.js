/** What the API says of runs, comparisons, schedules, targets and suites. */
import { all, call, query, send } from "../shared/api.js";

/** Path below /api; every part is one segment, slashes of a name stay. */
export function path(...parts) {
  return `/api/${parts.map((part) => String(part).split("/").map(encodeURIComponent).join("/")).join("/")}`;
}

const get = (where, terms = {}) => call("GET", where + query(terms));

const items = async (where) => (await all(where)).data;

export const runs = (terms) => get("/api/runs", { limit: 20, ...terms });
export const run = (id) => get(path("runs", id));
export const cells = (id, terms) => get(path("runs", id, "cells"), { limit: 50, ...terms });
export const cell = (id, cellId) => get(path("runs", id, "cells", cellId));
export const grid = (id) => get(path("runs", id, "grid"));
export const startRun = (run) => call("POST", "/api/runs", run);
export const cancelRun = (id) => call("POST", path("runs", id, "cancel"));
export const deleteRun = (id) => send("DELETE", path("runs", id));

export const compare = (terms) => get("/api/compare", terms);
export const comparisons = (terms) => get("/api/comparisons", { limit: 20, ...terms });
export const comparison = (id) => get(path("comparisons", id));
export const startComparison = (wanted) => call("POST", "/api/comparisons", wanted);

export const configs = () => items("/api/run-configs");
export const suites = () => items("/api/suites");

export const suite = (name, version) => get(path("suites", name), { version });
export const suiteVersions = (name) => items(path("suites", name, "versions"));
export const suiteYamlPath = (name, version) => `${path("suites", name, "export.yaml")}${query({ version })}`;
export const suiteYaml = async (name, version) => (await send("GET", suiteYamlPath(name, version))).text();
export const suitePlan = (name, version) => get(path("suites", name, "plan"), { version });
export const saveSuite = (yaml) => call("POST", "/api/suites", new Blob([yaml], { type: "application/yaml" }));

export const targets = () => items("/api/targets");
export const target = (id) => get(path("targets", id));
export const addTarget = (wanted) => call("POST", "/api/targets", wanted);
export const changeTarget = (id, wanted) => call("PUT", path("targets", id), wanted);
export const deleteTarget = (id) => send("DELETE", path("targets", id));
export const checkTarget = (id) => call("POST", path("targets", id, "check"));

export const schedules = (terms) => get("/api/schedules", { limit: 20, ...terms });
export const schedule = (id) => get(path("schedules", id));
export const firings = (id, terms) => get(path("schedules", id, "firings"), { limit: 20, ...terms });
export const addSchedule = (wanted) => call("POST", "/api/schedules", wanted);
export const changeSchedule = (id, wanted) => call("PUT", path("schedules", id), wanted);
export const deleteSchedule = (id) => send("DELETE", path("schedules", id));
export const runNow = (id) => call("POST", path("schedules", id, "run-now"));
