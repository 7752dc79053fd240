/** What the API says of run configs and activations. */
import { all, call } from "../shared/api.js";

const PAGE = 100;

export const configPath = (id, below = "") => `/api/run-configs/${encodeURIComponent(id)}${below}`;

/** The latest version of every run config, by name, and the version that is active in the database. */
export async function allConfigs() {
  const { data, active } = await all("/api/run-configs");
  return { configs: data, active };
}

export const readConfig = (id) => call("GET", configPath(id));
export const readVersions = (name) => call("GET", configPath(name, `/versions?limit=${PAGE}`));
export const readDiff = (a, b) => call("GET", `/api/run-configs/diff?${new URLSearchParams({ a, b })}`);
export const readCost = (id, terms) => call("GET", configPath(id, `/cost?${new URLSearchParams(terms)}`));
export const draftCost = (draft, terms) => call("POST", `/api/run-configs/cost?${new URLSearchParams(terms)}`, draft);
export const saveConfig = (config) => call("POST", "/api/run-configs", config);
export const readActivations = (after) =>
  call("GET", `/api/activations?limit=20${after ? `&after=${encodeURIComponent(after)}` : ""}`);
export const readActivation = (id) => call("GET", `/api/activations/${encodeURIComponent(id)}`);

/** Both answer at once; what becomes of it is told by the activation. */
export const activate = (name, version, reason) =>
  call("POST", configPath(name, "/activate"), { version, reason, wait_seconds: 0 });
export const rollBack = (reason) => call("POST", "/api/run-configs/rollback", { reason, wait_seconds: 0 });

/** What this server serves; only who may operate it is told. */
export const readServed = async () => (await call("GET", "/api/engine")).run_config;
