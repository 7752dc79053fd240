/** What the user writes: message, files, system prompt, sampling. */
import { byId, count, say } from "../shared/dom.js";

const STORED = "plumbline.sampling";
const LARGEST_FILE = 4 * 1024 * 1024;

const message = byId("message");
const system = byId("system");
const temperature = byId("temperature");
const maxTokens = byId("max-tokens");
const thinking = byId("thinking");
const watch = byId("watch");
const queries = byId("queries");
const problem = byId("problem");

/** Calls back with (text, settings) when the user sends. */
export function onSend(callback) {
  const form = byId("composer");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (message.value.trim() && !byId("send").disabled) {
      callback(message.value, settings());
    }
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
}

export function complain(text) {
  say(problem, text);
}

export function write(text) {
  message.value = text;
  measure();
}

export function writeSystem(text) {
  system.value = text;
  summarize();
}

export function focus() {
  message.focus();
}

function settings() {
  return {
    system: system.value.trim() ? system.value : "",
    temperature: temperature.value === "" ? 1 : Number(temperature.value),
    maxTokens: maxTokens.value === "" ? null : Number(maxTokens.value),
    thinking: thinking.checked,
    watch: watch.value,
    queries: queries.value,
  };
}

function measure() {
  byId("size").textContent = message.value ? `${count(message.value.length)} characters` : "";
}

function summarize() {
  const { system: prompt, temperature: heat, maxTokens: most, thinking: thinks, watch: watched } = settings();
  const parts = [`temperature ${heat}`];
  if (most !== null) {
    parts.push(`max ${count(most)} tokens`);
  }
  if (thinks) {
    parts.push("thinking");
  }
  if (prompt) {
    parts.push("system prompt");
  }
  if (watched) {
    parts.push("watching a text");
  }
  byId("settings-summary").textContent = parts.join(" · ");
}

/** Appends files to the message; only what is text in UTF-8. */
async function addFiles(files) {
  complain("");
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for (const file of files) {
    if (file.size > LARGEST_FILE) {
      complain(`${file.name} has ${count(file.size)} bytes; allowed: up to ${count(LARGEST_FILE)}.`);
      continue;
    }
    try {
      const text = decoder.decode(await file.arrayBuffer());
      message.value += (message.value ? "\n\n" : "") + text.replace(/\r\n?/g, "\n");
    } catch {
      complain(`${file.name} is not a text in UTF-8.`);
    }
  }
  measure();
  focus();
}

function takeFiles() {
  const files = byId("files");
  files.addEventListener("change", async () => {
    await addFiles([...files.files]);
    files.value = "";
  });
  const form = byId("composer");
  form.addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) {
      event.preventDefault();
      form.classList.add("dropping");
    }
  });
  form.addEventListener("dragleave", () => form.classList.remove("dropping"));
  form.addEventListener("drop", (event) => {
    form.classList.remove("dropping");
    if (event.dataTransfer.files.length > 0) {
      event.preventDefault();
      addFiles([...event.dataTransfer.files]);
    }
  });
}

/** Sampling is kept in this browser; what was written is not. */
function remember() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORED) ?? "{}");
    temperature.value = kept.temperature ?? temperature.value;
    maxTokens.value = kept.maxTokens ?? "";
    thinking.checked = kept.thinking ?? false;
  } catch {
    localStorage.removeItem(STORED);
  }
  for (const field of [temperature, maxTokens, thinking]) {
    field.addEventListener("change", () => localStorage.setItem(STORED, JSON.stringify({
      temperature: temperature.value,
      maxTokens: maxTokens.value,
      thinking: thinking.checked,
    })));
  }
}

message.addEventListener("input", measure);
byId("composer").addEventListener("input", summarize);
takeFiles();
remember();
measure();
summarize();
