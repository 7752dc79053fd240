/** Calls of this server's API with the session of the page. */

const PAGE = 100;

const csrf = document.querySelector("meta[name=csrf]");

/** A refusal, with the words of the server, the field that they are about, if any, and all that it said besides. */
export class ApiError extends Error {
  constructor(message, status, field = null, details = {}) {
    super(message);
    this.status = status;
    this.field = field;
    this.details = details;
  }
}

/**
 * Sends a request and returns the response.
 * Throws ApiError when it is refused, TypeError when there is no server.
 */
export async function send(method, path, body, signal) {
  let response = await once(method, path, body, signal);
  if (response.status === 403 && method !== "GET" && (await renewToken())) {
    response = await once(method, path, body, signal);
  }
  if (!response.ok) {
    throw await refusal(response);
  }
  return response;
}

function once(method, path, body, signal) {
  const headers = { Accept: "application/json, text/event-stream" };
  if (method !== "GET") {
    headers[csrf.dataset.header] = csrf.content;
  }
  const file = body instanceof Blob;
  if (body !== undefined && !file) {
    headers["Content-Type"] = "application/json";
  }
  return fetch(path, {
    method,
    headers,
    // A file says itself of which type it is.
    body: body === undefined || file ? body : JSON.stringify(body),
    signal,
    // An ended session may be told by sending the browser to the login page.
    redirect: "manual",
  });
}

/** Another login, in another tab, gave out a new token; whether there is one. */
async function renewToken() {
  const response = await fetch("/console", { redirect: "manual" });
  if (!response.ok) {
    return false;
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const token = page.querySelector("meta[name=csrf]").content;
  const field = document.querySelector(".account input[type=hidden]");
  csrf.content = token;
  field.value = token;
  return true;
}

/** Sends a request and returns its answer's JSON. */
export async function call(method, path, body) {
  return (await send(method, path, body)).json();
}

/** The query of an address; terms without a value are left out. */
export function query(terms) {
  const set = Object.entries(terms).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return set.length > 0 ? `?${new URLSearchParams(set)}` : "";
}

/** A list with the items of all its pages, and what the last page says besides. */
export async function all(path) {
  const items = [];
  let after;
  for (;;) {
    const page = await call("GET", path + query({ limit: PAGE, after }));
    items.push(...page.data);
    if (!page.has_more) {
      return { ...page, data: items };
    }
    after = page.last_id;
  }
}

async function refusal(response) {
  if (response.type === "opaqueredirect" || response.status === 401) {
    return new ApiError("Your session has ended. Log in again in another tab, then go on here.", 401);
  }
  const text = await response.text();
  try {
    const error = JSON.parse(text).error;
    return new ApiError(error.message, response.status, error.param, error);
  } catch {
    return new ApiError(`The server answered with status ${response.status}.`, response.status);
  }
}

/** What to tell the user about a failure. */
export function words(failure) {
  return failure instanceof ApiError ? failure.message : "The server does not answer.";
}
