/** Makes an element. Children are elements or texts; a text is never read as HTML. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value === true ? "" : value);
    }
  }
  made.append(...children);
  return made;
}

export function byId(id) {
  return document.getElementById(id);
}

/** Shows an element with a text, or hides it without one. */
export function say(target, text) {
  target.textContent = text;
  target.hidden = !text;
}

export function count(number) {
  return number.toLocaleString("en");
}
