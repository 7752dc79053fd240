/** Counting cells by state, and what follows from the counts. */

/** States of cells in the order they are told; the first two say something about recall. */
export const STATES = ["passed", "failed", "truncated", "error"];

export function sum(groups) {
  const total = { passed: 0, failed: 0, truncated: 0, error: 0, missing: 0 };
  for (const group of groups) {
    for (const state of Object.keys(total)) {
      total[state] += group[state];
    }
  }
  total.scored = total.passed + total.failed;
  total.all = total.scored + total.truncated + total.error + total.missing;
  return total;
}

/** Wilson's 95 % interval of a rate, as shares; null without answers. */
export function wilson(passed, scored) {
  if (scored === 0) {
    return null;
  }
  const z2 = 1.959964 ** 2;
  const rate = passed / scored;
  const centre = (rate + z2 / (2 * scored)) / (1 + z2 / scored);
  const half = Math.sqrt(z2 * (rate * (1 - rate) / scored + z2 / (4 * scored * scored))) / (1 + z2 / scored);
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

export const percent = (share) => `${(share * 100).toFixed(1).replace(/\.0$/, "")} %`;

/** What a heatmap's cell says about a run. */
export function tellRate(groups) {
  const total = sum(groups);
  if (total.all === 0) {
    return null;
  }
  const others = unscored(total);
  if (total.scored === 0) {
    return { text: total.missing > 0 ? "…" : "none", small: others, words: others.join(", "), lost: 0, gained: 0, kind: "open" };
  }
  const rate = total.passed / total.scored;
  return {
    text: `${Math.round(rate * 100)} %`,
    small: [`${total.passed}/${total.scored}`, ...others],
    words: [`${total.passed} of ${total.scored} passed`, ...others].join(", "),
    lost: 100 * (1 - rate),
    gained: 0,
  };
}

/** Cells that say nothing about recall, in words. */
function unscored(total) {
  return [[total.truncated, "truncated"], [total.error, total.error === 1 ? "error" : "errors"], [total.missing, "to go"]]
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`);
}
