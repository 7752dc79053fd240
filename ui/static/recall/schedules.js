/** Schedules: comparisons that repeat themselves, and what came of them. */
import { element } from "../shared/dom.js";
import { facts, heading, section, tag, time } from "../shared/parts.js";
import { at, go, to } from "./address.js";
import { asking, button, operate } from "./ask.js";
import { field, form, number } from "./forms.js";
import { paged } from "./lists.js";
import * as store from "./store.js";
import { verdictTag } from "./verdict.js";

const ACTIVE = "what is active";

export async function schedulesView(query) {
  const page = await store.schedules({ after: query.get("after") });
  return [
    heading("Schedules", operate ? [to(at.schedule(""), "New schedule", "button")] : []),
    ...paged("Schedules", ["Schedule", "When", "Suite", "Candidate", "Baseline", "Next", "Verdict", "Since"], page, (one) => [
      to(at.schedule(one.id), one.name), when(one), one.suite, one.candidate ?? ACTIVE, one.baseline, one.next ? time(one.next) : "–",
      verdictTag(one.last?.verdict), one.last ? time(one.last.since) : "–",
    ], "None was made. A schedule compares a run config with a pinned baseline again and again, and tells when the verdict changes."),
  ];
}

function when(one) {
  const times = [one.cron ? `${one.cron} (${one.zone})` : "", one.on_activation ? "on activation" : ""].filter(Boolean).join(", ");
  return one.enabled ? times : `off; ${times}`;
}

/** One schedule with its history, or the form. */
export async function scheduleView(query) {
  const id = query.get("id");
  if (!id) {
    return [heading("New schedule"), await editor(null)];
  }
  const schedule = await store.schedule(id);
  if (query.has("edit")) {
    return [heading(`Change ${schedule.name}`), await editor(schedule)];
  }
  const firings = await store.firings(id, { after: query.get("after") });
  return [
    heading(schedule.name, operate ? [
      button("Run now", async () => {
        await store.runNow(id);
        document.dispatchEvent(new CustomEvent("again"));
      }, "primary"),
      to(at.schedule(id, { edit: "1" }), "Change", "button"),
      asking("Delete", `Delete ${schedule.name}?`, "It runs no more; its comparisons stay.", "Delete", async () => {
        await store.deleteSchedule(id);
        go(at.schedules());
      }),
    ] : [], schedule.enabled ? [] : [tag("off", "waiting")]),
    facts([
      ["Verdict", verdictTag(schedule.last?.verdict)], ["Since", schedule.last ? time(schedule.last.since) : "–"], ["When", when(schedule)],
      ["Next", schedule.next ? time(schedule.next) : "not planned"], ["Suite", schedule.suite], ["Candidate", schedule.candidate ?? ACTIVE],
      ["Baseline", schedule.baseline], ["Margin", schedule.margin === null ? "the usual" : `${schedule.margin * 100} points`],
      ["Webhook", schedule.webhook?.url ?? "none"], ["By", schedule.author],
    ]),
    section("History", ...paged("Firings, newest first", ["Due", "Why", "State", "Candidate", "Verdict", "In words", "Webhook"], firings, (one) => [
      one.comparison ? to(at.comparison(one.comparison), time(one.due)) : time(one.due), one.reason, tag(one.state, one.state === "running" ? "waiting" : ""),
      one.candidate ?? "–", verdictTag(one.verdict), [one.summary ?? "", "wide text"], event(one),
    ], "It has not run yet.")),
  ];
}

/** What became of the message about a changed verdict; its attempts on demand. */
function event(firing) {
  if (!firing.event) {
    return firing.changed ? "changed, no webhook" : "–";
  }
  const attempts = firing.event.attempts.map((one) => element("li", {}, time(one.at), `: ${one.failure ?? `status ${one.status}`}, ${one.millis} ms`));
  return element("details", {}, element("summary", {}, `${firing.event.state}, ${attempts.length} ${attempts.length === 1 ? "attempt" : "attempts"}`),
    element("ul", { class: "lines" }, ...attempts));
}

async function editor(schedule) {
  const [suites, configs] = await Promise.all([store.suites(), store.configs()]);
  const ids = configs.map((config) => [config.id, config.id]);
  const names = configs.map((config) => [config.name, `${config.name}: ${config.description}`]);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  const fields = [
    field("name", "Name", { value: schedule?.name ?? "" }),
    field("suite", "Suite", { kind: suites.map((suite) => [suite.name, suite.name]), value: schedule?.suite ?? "smoke" }),
    field("candidate", "Candidate", { kind: [["", ACTIVE], ...names], value: schedule?.candidate ?? "", hint: "What is judged." }),
    field("baseline", "Baseline", { kind: ids, value: schedule?.baseline ?? "baseline@1", hint: "A version, so that it never changes." }),
    field("cron", "Cron", { value: schedule ? schedule.cron ?? "" : "0 3 * * *", hint: "Minute, hour, day, month, weekday, or nightly; empty for activations only." }),
    field("zone", "Time zone", { value: schedule?.zone ?? zone, hint: "Such as Europe/Berlin." }),
    field("on_activation", "Also when the candidate becomes active", { kind: "check", value: schedule?.on_activation ?? false }),
    field("enabled", "On", { kind: "check", value: schedule?.enabled ?? true }),
    field("margin", "Margin, in points", { value: typeof schedule?.margin === "number" ? String(schedule.margin * 100) : "", hint: "Losses below it are accepted; empty for the usual." }),
    field("url", "Webhook", { value: schedule?.webhook?.url ?? "", api: "webhook", hint: "Told when the verdict changes, signed; empty for none." }),
    field("secret", "Webhook's secret", { kind: "password", api: "webhook.secret", hint: "Left empty, one is kept or made." }),
  ];
  const made = form(fields, "Save", async (values) => {
    const points = number(values.margin);
    const body = {
      name: values.name, suite: values.suite, baseline: values.baseline, on_activation: values.on_activation, enabled: values.enabled, zone: values.zone,
      ...(values.candidate ? { candidate: values.candidate } : {}),
      ...(values.cron ? { cron: values.cron } : {}),
      ...(values.margin ? { margin: typeof points === "number" ? points / 100 : points } : {}),
      ...(values.url ? { webhook: { url: values.url, ...(values.secret ? { secret: values.secret } : {}) } } : {}),
    };
    const saved = schedule ? await store.changeSchedule(schedule.id, body) : await store.addSchedule(body);
    if (saved.webhook?.secret && saved.webhook.secret !== values.secret) {
      made.replaceWith(onlyNow(saved));
    } else {
      go(at.schedule(saved.id));
    }
  }, schedule ? at.schedule(schedule.id) : at.schedules());
  return made;
}

function onlyNow(saved) {
  return element("div", { class: "stack" },
    element("p", { role: "alert" }, "The webhook's secret, which is shown only now: ", element("code", { class: "code" }, saved.webhook.secret)),
    element("p", {}, to(at.schedule(saved.id), "Go on to the schedule", "button")));
}
