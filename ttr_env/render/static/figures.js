"use strict";

/* How the numbers of an opinion are told, at a table as in a page of one file. */

function tellShare(share) {
  const percent = 100 * share;
  return percent < 0.1 ? "<0.1 %" : `${percent.toFixed(percent < 10 ? 1 : 0)} %`;
}

function tellMean(mean, error, worlds) {
  const spread = error === null ? "" : ` ± ${error.toFixed(3)}`;
  const where = worlds ? ` in ${worlds} ${worlds === 1 ? "world" : "worlds"}` : "";
  return `mean ${mean.toFixed(3)}${spread}${where}`;
}

/* A value beyond these bounds comes from a network that was trained with rewards of another kind. */
function tellWorth(value) {
  const scale = value < 0 || value > 1 ? "as rewards were counted in its training" : "with most agents 0 is a clear loss and 1 a clear win";
  return `Worth ${value.toFixed(2)} to the player to move; ${scale}.`;
}
