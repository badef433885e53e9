/* A table: hears what the server tells, shows it, and sends back what is chosen. */

import { Choices } from "./choices.js";
import { at, capital, element, fill } from "./dom.js";
import { listenForKeys } from "./keys.js";
import { Line } from "./line.js";
import { GameMap } from "./map.js";
import * as panels from "./panels.js";
import { invite, playOn, share } from "./sharing.js";
import { Thoughts } from "./thoughts.js";

const id = decodeURIComponent(location.pathname.split("/").pop());
const [secret, start] = location.hash.slice(1).split("&at=");
const AWAITED = ["slider", "pace", "share", "nearer", "farther"]; // of no use before the first position
const REPLAY = 0.6; // seconds for a position of a record, at normal speed
const PATIENCE = 40; // milliseconds between two positions that are asked for: the server bears no more

let table = null; // what the server says once
let now = null; // the position that is shown
let sent = null; // the stamp of the last decision that was sent
let replaying = null; // the timer of a record that runs
let isHolding = false; // the position that agents were asked about is on its way, and newer ones may come before it
let noteTimer = null;
let lookTimer = null; // runs while no other position is to be asked for
let wish; // the position that is asked for next: a decision, null for the newest, or nothing

const map = new GameMap(at("board"), at("tip"), (track, byFinger) => choices.choose(track, byFinger));
const choices = new Choices(map, act);
const log = new panels.Log(at("log"), look);
const thoughts = new Thoughts(map, (agents) => {
  hold();
  line.say({ ask: agents, decision: now.decision });
});
const line = new Line({ table: id, secret }, hear, lineState);
const where = () => ({ table: id, secret, decision: now.decision, eyes: now.eyes });

function hear(message) {
  if (message.type === "table") begin(message);
  else if (message.type === "position") show(message);
  else if (message.type === "opinion") thoughts.hear(message);
  else {
    if (message.type === "error") thoughts.refused(message.text);
    note(message.text, message.type === "error");
  }
}

function begin(message) {
  table = message;
  sent = null;
  map.forget();
  thoughts.offer(table.agents);
  isHolding = false;
  at("invite").hidden = table.links === null;
  at("latest").style.setProperty("--seats", table.seats.length);
  fill(at("eyes"), table.seats, () => [element("option", { value: "" }, "all"), ...table.seats.map((seat, place) => element("option", { value: place }, `${place}: ${seat.name}`))]);
  if (now !== null) comeBack();
  else if (start !== undefined && Number.isInteger(Number(start))) look(Number(start));
}

/* After a line that broke: what was looked at is looked at again. */
function comeBack() {
  if (now.open && now.eyes !== table.seat) line.say({ eyes: now.eyes });
  if (!now.live) line.say({ look: now.decision });
}

function act(action) {
  if (action === undefined || sent === now.stamp) return; // sent already: the answer is on its way
  sent = now.stamp;
  line.say({ act: action, stamp: now.stamp });
}

function show(message) {
  const before = now;
  now = message;
  const { state, offer } = now;
  if (before === null) for (const name of AWAITED) at(name).disabled = false;
  map.show(now.shell, now.pieces, now.picture);
  map.offer(offer?.tracks ?? {});
  document.title = `${isAwaited(now) ? "● " : ""}${state.title}`;
  at("title").textContent = state.title;
  at("progress").textContent = state.progress;
  log.tell(now.lines, table);
  status(before);
  panels.supply(state, offer, table, act);
  panels.hand(state, table);
  panels.tickets(state, table, (ways) => map.showWays(ways ?? []));
  panels.players(state, table);
  panels.result(state.result, table);
  choices.show(offer, state, table);
  if (!choices.choosesTickets) map.showWays([]);
  if (!now.live) isHolding = false;
  if (!isHolding) thoughts.moved(now.decision);
  timeline();
  log.mark(now.decision);
  letKeysScroll(at("latest"));
  const news = now.lines.told.at(-1);
  if (before !== null && news?.track !== null && news !== undefined && now.live) map.flash(news.track);
  if (now.trouble) banner(now.trouble, true);
  document.body.classList.remove("waiting");
}

/* Whether the game waits for the seat of this page, whatever position is shown. */
const isAwaited = (position) => position !== null && position.waits !== null && position.waits === table.seat;

function status(before) {
  const { state } = now;
  const mover = table.seats[state.player]?.whole;
  let question = "The game is over";
  if (now.trouble) question = "The game has stopped";
  else if (now.offer) question = now.offer.question;
  else if (state.player >= 0) question = !now.live || table.replayed ? `Decision ${now.decision}: ${mover} is to move` : isAwaited(now) ? "Your turn" : `${capital(mover)} is thinking`;
  at("question").textContent = question;
  at("question").classList.toggle("yours", now.offer !== null);
  const told = now.lines.told.map((line) => `${capital(line.who)} ${line.did}.`).join(" ");
  if (told || !now.live || before?.live === false) latest([state.pending, ...log.recent(now.decision, table.seat, table.seats.length)].filter(Boolean));
  const spoken = [now.lines.told.length > 6 ? log.recent(now.decision, table.seat, 1)[0] : told, now.offer ? now.offer.question : ""].filter(Boolean).join(" ");
  if (before !== null && now.live && spoken) at("told").textContent = spoken;
  else if (!now.live && isAwaited(now) && !isAwaited(before)) at("told").textContent = "It is your turn. An earlier position is shown.";
  at("undo").disabled = !now.undo;
  at("hint").disabled = !(now.offer || (now.open && state.player >= 0));
  at("on").hidden = at("eyes-label").hidden = !now.open;
  at("onlooker").hidden = now.open || table.seat !== null;
  at("eyes").value = now.eyes ?? "";
}

function latest(sentences) {
  at("latest").classList.remove("wrong");
  const box = at("latest");
  box.replaceChildren(...sentences.map((sentence) => element("span", {}, sentence)));
  box.scrollTop = 0;
}

/* This measures, so it comes when everything else is in its place. */
function letKeysScroll(box) {
  if (box.scrollHeight > box.clientHeight) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}

function note(text, wrong) {
  at("told").textContent = text;
  latest([text]);
  at("latest").classList.toggle("wrong", wrong);
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => at("latest").classList.remove("wrong"), 4000);
  sent = null;
}

/* How the line is; once it is closed for good, nothing is asked any more. */
function lineState(text, final) {
  banner(text, final);
  if (!final) return;
  at("question").textContent = "Not connected";
  at("question").classList.remove("yours");
  if (now === null) at("progress").textContent = "";
}

function banner(text, final) {
  const box = at("banner");
  if (box.dataset.final && !final) return;
  if (final) box.dataset.final = "yes";
  if (box.textContent !== text) box.textContent = text;
  box.hidden = text === "";
  document.body.classList.toggle("offline", text !== "" && !now?.trouble);
}

// Going back and forth.

function look(decision) {
  const last = now?.decisions ?? Infinity;
  const wanted = Math.max(0, Math.min(decision, last));
  askFor(wanted >= last && !table.replayed ? null : wanted);
}

/* However fast the slider is pulled, positions are asked for one after another, and those that were overtaken are not. */
function askFor(decision) {
  if (lookTimer !== null) {
    wish = decision;
    return;
  }
  line.say({ look: decision });
  lookTimer = setTimeout(() => {
    const next = wish;
    lookTimer = null;
    wish = undefined;
    if (next !== undefined) askFor(next);
  }, PATIENCE);
}

/* Stay at this position, so that what is said about it can be read, while agents play on. */
function hold() {
  if (replaying !== null) stop();
  else if (now.live && now.open && !now.paused && now.waits !== null) {
    isHolding = true;
    askFor(now.decision);
  }
}

function timeline() {
  const slider = at("slider");
  slider.max = now.decisions;
  slider.value = now.decision;
  slider.setAttribute("aria-valuetext", `decision ${now.decision} of ${now.decisions}`);
  at("where").textContent = `${now.decision} / ${now.decisions}`;
  at("first").disabled = at("back").disabled = now.decision === 0;
  const ended = now.decision === now.decisions;
  const canStep = now.live && now.paused && table.leads && now.waits !== null && !table.seats[now.waits].person;
  at("forth").disabled = ended && !canStep;
  at("last").disabled = ended && now.live;
  const runs = isRunning();
  at("run").classList.toggle("runs", runs);
  at("run").setAttribute("aria-label", runs ? "Pause" : "Play");
  at("run").disabled = !table.replayed && now.live && (now.waits === null || !table.leads);
  if (document.activeElement !== at("pace")) at("pace").value = String(nearest(now.pace));
  wayBack();
}

function wayBack() {
  const away = !now.live && !table.replayed;
  document.body.classList.toggle("looking-back", away);
  at("return").hidden = !away;
  at("undo").hidden = away;
  at("return").textContent = isAwaited(now) ? "Back to the game: it is your turn" : "Back to the game";
  at("return").classList.toggle("main", isAwaited(now));
}

function nearest(pace) {
  return [...at("pace").options].map((option) => Number(option.value)).sort((one, other) => Math.abs(one - pace) - Math.abs(other - pace))[0];
}

function isRunning() {
  return replaying !== null || (now.live && !now.paused && !table.replayed);
}

function run() {
  if (table.replayed || !now.live) {
    if (replaying !== null) stop();
    else {
      if (now.decision === now.decisions) look(0);
      replaying = setInterval(() => (now.decision < now.decisions ? look(now.decision + 1) : stop()), Math.max(Number(at("pace").value) || 0.08, 0.08) * 1000 * (REPLAY / 0.7));
      timeline();
    }
  } else line.say({ pace: now.pace, paused: !now.paused });
}

function stop() {
  clearInterval(replaying);
  replaying = null;
  timeline();
}

function forth() {
  if (now.decision < now.decisions) look(now.decision + 1);
  else if (now.paused && table.leads) line.say({ step: true });
}

const CLICKS = {
  first: () => look(0),
  back: () => look(now.decision - 1),
  run,
  forth,
  last: () => look(now.decisions),
  return: () => look(now.decisions),
  undo: () => line.say({ undo: now.stamp }),
  hint: () => thoughts.hint(table.agents.includes("champion") ? "champion" : table.agents[0]),
  share: () => share(where, `ttr-${id}`, table),
  on: () => playOn(where, table),
  invite: () => invite(table),
  nearer: () => map.zoom(1),
  farther: () => map.zoom(-1),
};
const CHANGES = {
  slider: (value) => look(Number(value)),
  eyes: (value) => line.say({ eyes: value === "" ? null : Number(value) }),
  pace: (value) => {
    if (replaying !== null) {
      stop();
      run();
    }
    if (table.leads) line.say({ pace: Number(value), paused: now.paused });
  },
};
for (const [name, work] of Object.entries(CLICKS)) at(name).onclick = work;
for (const [name, work] of Object.entries(CHANGES)) at(name).oninput = (event) => work(event.target.value);

const KEYS = {
  ArrowLeft: () => look(now.decision - 1),
  ArrowRight: forth,
  Home: () => look(0),
  End: () => at("last").click(),
  " ": () => at("run").click(),
  u: () => at("undo").click(),
  h: () => at("hint").click(),
  d: () => document.querySelector('[data-id="pile-deck"]')?.click(),
  t: () => document.querySelector('[data-id="pile-tickets"]')?.click(),
  "/": () => document.querySelector('[data-id="filter"]')?.focus(),
};
for (const place of [1, 2, 3, 4, 5, 6, 7, 8, 9]) KEYS[place] = () => document.querySelector(`[data-id="row-${place - 1}"]`)?.click();

listenForKeys(KEYS, () => now !== null);

/* What follows the # is the secret of the seat, so a link within the page must not change it. */
at("skip").onclick = (event) => {
  event.preventDefault();
  (at("choices").hidden ? at("question") : at("choices")).focus();
};

/* Another link to the same table, such as that of a seat, changes only what follows the #. */
window.addEventListener("hashchange", () => {
  if (at(location.hash.slice(1)) === null) location.reload();
});
