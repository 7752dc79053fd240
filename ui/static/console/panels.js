/** On narrow screens the side panels open and close. */
import { byId } from "../shared/dom.js";

for (const button of document.querySelectorAll(".panel-switch")) {
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-expanded") !== "true";
    for (const other of document.querySelectorAll(".panel-switch")) {
      const expanded = other === button && open;
      other.setAttribute("aria-expanded", expanded);
      byId(other.getAttribute("aria-controls")).classList.toggle("open", expanded);
    }
  });
}

byId("conversations").addEventListener("click", (event) => {
  if (event.target.closest("a")) {
    byId("history").classList.remove("open");
    document.querySelector("[aria-controls=history]").setAttribute("aria-expanded", "false");
  }
});
