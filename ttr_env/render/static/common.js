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

function seatBadge(seat) {
  const badge = make("span", "seat", String(seat));
  badge.style.background = game.seats[seat].fill;
  badge.style.color = game.seats[seat].mark;
  return badge;
}
