/** Follows a run: every browser has a stream of its own, which goes on where it broke off. */
const EVENTS = ["cell", "progress", "state"];

/**
 * Calls {@code heard(event, data)} for every event until the signal aborts or {@code heard} returns false.
 * {@code lost(true)} when the stream is broken, {@code lost(false)} when it is back.
 */
export function follow(where, signal, heard, lost) {
  // The browser connects again by itself and sends the id of the last event that it has seen.
  const source = new EventSource(where);
  signal.addEventListener("abort", () => source.close());
  source.addEventListener("open", () => lost(false));
  source.addEventListener("error", () => lost(true));
  for (const name of EVENTS) {
    source.addEventListener(name, (event) => {
      if (heard(name, JSON.parse(event.data)) === false) {
        source.close();
      }
    });
  }
  return source;
}
