/** Forms whose refusals stand beside the field that the server names. */
import { words } from "../shared/api.js";
import { element, say } from "../shared/dom.js";

let made = 0;

/**
 * A field. {@code kind}: text, area, check, or a list of choices [value, text].
 * {@code api} is what the server calls it in a refusal.
 */
export function field(name, label, { value = "", hint = "", kind = "text", api = name, required = false } = {}) {
  const id = `field-${++made}`;
  const control = controlOf(kind, value);
  control.id = id;
  control.name = name;
  control.setAttribute("aria-describedby", `${id}-hint ${id}-error`);
  control.toggleAttribute("required", required);
  const error = element("p", { id: `${id}-error`, class: "field-error", role: "alert", hidden: true });
  const box = element("div", { class: "field" }, element("label", { for: id }, label), control,
    element("p", { id: `${id}-hint`, class: "note" }, hint), error);
  return {
    box,
    name,
    api,
    read: () => (kind === "check" ? control.checked : control.value.trim()),
    refuse: (text) => {
      say(error, text);
      control.toggleAttribute("aria-invalid", Boolean(text));
      if (text) {
        control.setAttribute("aria-invalid", "true");
      }
    },
    control,
  };
}

function controlOf(kind, value) {
  if (Array.isArray(kind)) {
    const choices = kind.map((choice) => (Array.isArray(choice) ? choice : [choice, choice]));
    // What is chosen but not offered is still shown: the server says why not.
    if (value && !choices.some(([offered]) => offered === value)) {
      choices.push([value, value]);
    }
    const select = element("select", {}, ...choices.map(([offered, text]) => element("option", { value: offered }, text)));
    select.value = value;
    return select;
  }
  if (kind === "area") {
    const area = element("textarea", { rows: "12", spellcheck: "false", class: "code" });
    area.value = value;
    return area;
  }
  if (kind === "check") {
    const box = element("input", { type: "checkbox" });
    box.checked = value === true;
    return box;
  }
  const input = element("input", { spellcheck: "false", autocapitalize: "none", autocomplete: "off", type: kind });
  input.value = value;
  return input;
}

/** A form; {@code submit} gets the values by name and does it, or throws what is told beside the fields. */
export function form(fields, verb, submit, cancel = null) {
  const problem = element("p", { class: "problem text", role: "alert", hidden: true });
  const button = element("button", { type: "submit", class: "primary" }, verb);
  const made = element("form", { class: "editor", novalidate: true, autocomplete: "off" },
    element("div", { class: "flag-fields" }, ...fields.map((one) => one.box)),
    problem,
    element("div", { class: "form-actions" }, ...(cancel ? [element("a", { class: "button quiet", href: cancel }, "Cancel")] : []), button));
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    fields.forEach((one) => one.refuse(""));
    say(problem, "");
    button.disabled = true;
    try {
      await submit(Object.fromEntries(fields.map((one) => [one.name, one.read()])));
    } catch (failure) {
      const about = fieldOf(fields, failure.field);
      if (about) {
        about.refuse(words(failure));
        about.control.focus();
      } else {
        say(problem, words(failure));
      }
    } finally {
      button.disabled = false;
    }
  });
  return made;
}

/** The field that a refusal is about; one whose name in the API is empty takes them all. */
function fieldOf(fields, named) {
  return fields.find((one) => one.api === "" || named === one.api || named?.startsWith(`${one.api}.`) || named?.startsWith(`${one.api}[`));
}

/** Numbers of a list such as "1, 2"; what is no number goes as it is, so that the server says what is allowed. */
export function numbers(text) {
  const parts = text.split(/[\s,]+/).filter(Boolean);
  return parts.map((part) => (/^-?\d+$/.test(part) && Number.isSafeInteger(Number(part)) ? Number(part) : part));
}

/** A number, or the text that is none. */
export function number(text) {
  return text === "" || Number.isNaN(Number(text)) ? text : Number(text);
}
