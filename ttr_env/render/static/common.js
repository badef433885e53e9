"use strict";

/* What the parts of the page share: the game that it shows, and ways to make elements. */

const game = JSON.parse(document.getElementById("game").textContent);
const last = game.frames.length - 1;
const byId = (id) => document.getElementById(id);

function make(kind, className = "", text = "") {
  const element = document.createElement(kind);
  if (className) element.className = className;
  element.textContent = text;
  return element;
}

/* A button that does nothing now; it stays where it is for those who go from one to the next with the keyboard. */
function switchOff(button, off) {
  button.setAttribute("aria-disabled", String(off));
}

function seatBadge(seat) {
  const badge = make("span", "seat", String(seat));
  badge.style.background = game.seats[seat].fill;
  badge.style.color = game.seats[seat].mark;
  return badge;
}
