/** Keeps the engine card true: htmx renews its parts, this says when it cannot. */
import { byId, say } from "../shared/dom.js";

const card = byId("engine-card");
const lost = byId("engine-lost");

document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { fragment, target } = event.detail;
  // What has not changed stays, with the user's selection in it.
  if (fragment.firstElementChild?.innerHTML === target.innerHTML) {
    event.detail.shouldSwap = false;
  }
});

card?.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  // Without a session the answer is the login page.
  const ended = new URL(xhr.responseURL).pathname !== card.getAttribute("hx-get");
  event.detail.shouldSwap = xhr.status === 200 && !ended;
  say(lost, ended ? "Your session has ended; what is above is old." : words(xhr.status));
});

for (const failure of ["htmx:sendError", "htmx:timeout"]) {
  card?.addEventListener(failure, () => say(lost, "The server does not answer; what is above is old."));
}

function words(status) {
  return status === 200 ? "" : `The server answered with status ${status}; what is above is old.`;
}
