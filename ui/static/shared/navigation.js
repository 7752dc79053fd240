/** Views of a page: what is shown is what the address says. */

/**
 * Follows links to views and the browser's history without loading the page anew; {@code show(focus)} shows what the
 * address says. Returns what goes to an address as if a link had been followed; a "go" event of the document does too.
 */
export function navigate(show) {
  const go = (where) => {
    window.history.pushState(null, "", where);
    show(true);
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='?']");
    if (link && event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      go(link.getAttribute("href"));
    }
  });
  document.addEventListener("go", (event) => go(event.detail));
  window.addEventListener("popstate", () => show(true));
  return go;
}
