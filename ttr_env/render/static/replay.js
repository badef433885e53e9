"use strict";

/* Stepping through a game. The page knows no rules: every picture, sentence and number comes with it. */

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

/* The picture -------------------------------------------------------------------------------- */

/* The pieces of every picture; each is told by what the one before has. */
function unfold(frames) {
  const pictures = [];
  for (const runs of frames) {
    const before = pictures.at(-1) ?? [];
    pictures.push(runs.flatMap((run) => (Array.isArray(run) ? before.slice(run[0], run[0] + run[1]) : run)));
  }
  return pictures;
}

const pictures = unfold(game.frames);
const board = new Board(byId("pieces"));
board.learn(game.pieces);

/* Where there is no room for the whole picture, its areas stand below each other: the first one in place of the whole,
   the others as views of the same pieces. */
function arrangeAreas() {
  const narrow = matchMedia("(width < 700px)");
  for (const area of game.areas.slice(1)) {
    byId("areas").insertAdjacentHTML("beforeend", `<svg viewBox="${area.join(" ")}"><use href="#pieces"/></svg>`);
    for (const name of ["font-family", "stroke-linejoin"])
      byId("areas").lastElementChild.setAttribute(name, byId("picture").getAttribute(name));
  }
  const arrange = () => {
    const shown = narrow.matches && game.areas.length > 0 ? game.areas[0] : [0, 0, ...game.size];
    byId("picture").setAttribute("viewBox", shown.join(" "));
    const frame = byId("picture").parentElement;
    const wide = narrow.matches && shown[2] > shown[3];
    frame.classList.toggle("wide", wide);
    if (wide) frame.tabIndex = 0; // so that arrow keys can push it
    else frame.removeAttribute("tabindex");
  };
  narrow.addEventListener("change", arrange);
  arrange();
}

/* The moves ---------------------------------------------------------------------------------- */

function listMoves() {
  const items = game.moves.map(([seat, text, secret], index) => {
    const button = make("button", "move");
    button.type = "button";
    button.tabIndex = -1; // one of them at a time can be reached with Tab: the current one
    button.append(make("span", "number", String(index + 1)), seatBadge(seat), make("span", "", text));
    if (differs(index)) {
      const mark = make("span", "differs", "≠");
      mark.title = `Not what ${differingAgents(index)} would have done`;
      mark.setAttribute("role", "img");
      mark.setAttribute("aria-label", mark.title);
      button.append(mark);
    }
    if (secret) button.append(make("span", "secret", secret));
    button.addEventListener("click", () => go(index + 1));
    const item = make("li");
    item.append(button);
    return item;
  });
  byId("moves").replaceChildren(...items);
  if (items.length === 0) byId("moves").append(make("li", "faint", "No decision has been taken yet."));
}

let current = null; // the button of the move that led to the position

function markMove(position) {
  const list = byId("moves");
  const hadFocus = current !== null && current === document.activeElement;
  current?.removeAttribute("aria-current");
  if (current) current.tabIndex = -1;
  current = list.querySelectorAll(".move")[Math.max(0, position - 1)] ?? null;
  if (current === null) return;
  current.tabIndex = 0;
  if (position > 0) current.setAttribute("aria-current", "step");
  if (hadFocus) current.focus({ preventScroll: true });
  // Only the list scrolls, never the page.
  const item = current.parentElement;
  list.scrollTop = position === 0 ? 0 : item.offsetTop - (list.clientHeight - item.offsetHeight) / 2;
}

/* What agents think -------------------------------------------------------------------------- */

function differs(decision) {
  return game.opinions[decision]?.some((opinion) => opinion.differs) ?? false;
}

function differingAgents(decision) {
  return game.agents.filter((_, agent) => game.opinions[decision][agent].differs).join(" and ");
}

function percent(share) {
  const value = 100 * share;
  return value > 0 && value < 1 ? "<1 %" : `${Math.round(value)} %`;
}

function optionItem([sentence, chosen, played, probability, mean, error, worlds]) {
  const item = make("li", played ? "option played" : "option");
  if (probability !== null) {
    const share = make("span", "share");
    share.style.width = `${100 * probability}%`;
    item.append(share);
  }
  const line = make("span", "words");
  line.append(make("span", "", game.sentences[sentence]));
  if (probability !== null) line.append(make("span", "percent", percent(probability)));
  const notes = make("span", "notes");
  if (chosen) notes.append(make("span", "tag", "its choice"));
  if (played) notes.append(make("span", "tag", "played"));
  if (mean !== null) {
    const spread = error === null ? "" : ` ± ${error.toFixed(3)}`;
    notes.append(make("span", "", `mean ${mean.toFixed(3)}${spread} in ${worlds} ${worlds === 1 ? "world" : "worlds"}`));
  }
  item.append(line);
  if (notes.hasChildNodes()) item.append(notes);
  return item;
}

const asked = game.opinions.filter((opinions) => opinions !== null).length;
const differences = game.agents.map((_, agent) => game.opinions.filter((opinions) => opinions?.[agent].differs).length);

function opinionOf(agent, opinion) {
  const section = make("section", "opinion");
  const title = make("h3", "", "");
  title.append(make("span", "", game.agents[agent]), make("span", "rate", `differs in ${differences[agent]} of ${asked}`));
  if (opinion.value !== null) title.append(make("span", "", `value ${opinion.value.toFixed(2)}`));
  const options = make("ol");
  options.append(...opinion.options.map(optionItem));
  section.append(title, options);
  if (!opinion.options.some((option) => option[2])) section.append(make("p", "faint", "It did not consider what was played."));
  return section;
}

function showOpinions(position) {
  if (game.agents.length === 0) return;
  const told = game.opinions[position] ?? null;
  const parts = told === null ? [make("p", "faint", whyNothing(position))] : told.map((each, agent) => opinionOf(agent, each));
  byId("opinions").replaceChildren(...parts);
  byId("opinions").scrollTop = 0;
  byId("differs-back").disabled = nextDifference(position, -1) === null;
  byId("differs-forward").disabled = nextDifference(position, 1) === null;
}

function whyNothing(position) {
  if (position === last) return "There is nothing to decide here.";
  return `This is seen from seat ${game.perspective}, so only its own decisions have explanations.`;
}

function nextDifference(position, step) {
  for (let at = position + step; at >= 0 && at < game.opinions.length; at += step) if (differs(at)) return at;
  return null;
}

/* The scores --------------------------------------------------------------------------------- */

const total = game.parts.length - 1;

/* The total, and the parts in which somebody ever has something. */
const parts = [total, ...game.parts.keys()].filter(
  (part, place) => (part === total ? place === 0 : game.scores.some((seats) => seats.some((row) => row[part]))),
);

/* What an agent thinks the game is worth to each player, from decision to decision. */
function valuesOver(agent) {
  return game.seats.map((_, seat) => {
    let known = null;
    return game.frames.map((_, position) => {
      const value = game.moves[position]?.[0] === seat ? game.opinions[position]?.[agent].value : null;
      return (known = value ?? known);
    });
  });
}

const charts = [
  ...parts.map((part) => ({
    name: game.parts[part],
    part,
    series: () => game.seats.map((_, seat) => game.scores.map((seats) => seats[seat][part])),
  })),
  ...game.agents.map((agent, index) => ({ name: `value by ${agent}`, series: () => valuesOver(index) })),
].filter(({ series }) => series().some((values) => values.filter((value) => value !== null).length > 1));

const chart = new Chart(byId("chart"), game.seats, last, go);

function offerCharts() {
  byId("shown").append(...charts.map(({ name }, index) => new Option(name, index)));
  byId("shown").addEventListener("change", showChart);
  byId("shown").disabled = charts.length === 0;
  showChart();
}

function showChart() {
  const chosen = charts[Number(byId("shown").value)];
  if (chosen) chart.draw(chosen.series());
  showScores();
}

function showScores() {
  const chosen = charts[Number(byId("shown").value)]?.part;
  const head = make("tr");
  head.append(make("th", "", "player"), ...parts.map((part) => make("th", part === chosen ? "chosen" : "", game.parts[part])));
  const rows = game.seats.map(({ name }, seat) => {
    const row = make("tr");
    const who = make("th");
    who.scope = "row";
    who.append(seatBadge(seat), make("span", "", name));
    row.append(who, ...parts.map((part) => scoreCell(game.scores[shown][seat][part], part === chosen)));
    return row;
  });
  const [thead, tbody] = [make("thead"), make("tbody")];
  thead.append(head);
  tbody.append(...rows);
  byId("sheet").replaceChildren(thead, tbody);
  for (const cell of head.children) cell.scope = "col";
}

function scoreCell(points, chosen) {
  const cell = make("td", chosen ? "chosen" : "", points === null ? "?" : String(points).replace("-", "−"));
  if (points === null) cell.title = "hidden from this seat";
  return cell;
}

/* Going from position to position ------------------------------------------------------------ */

let shown = 0;

function go(position) {
  shown = Math.min(last, Math.max(0, position));
  board.show(pictures[shown]);
  byId("slider").value = shown;
  byId("slider").setAttribute("aria-valuetext", `${shown} of ${last}`);
  byId("count").textContent = `${shown} of ${last}`;
  byId("now").textContent = toldNow();
  byId("first").disabled = byId("back").disabled = shown === 0;
  byId("last").disabled = byId("forward").disabled = shown === last;
  markMove(shown);
  showOpinions(shown);
  showScores();
  chart.mark(shown);
  if (shown === last) pause();
}

function toldNow() {
  const before = game.moves[shown - 1];
  const told = before ? `Player ${before[0]} ${before[1]}. ` : "";
  return `${told}${game.statuses[shown]}.`;
}

/* Playing: a timer for each step, so that a change of speed counts from the next one on. */
let timer = null;

function play() {
  if (shown === last) go(0);
  setPlaying(setTimeout(function tick() {
    timer = setTimeout(tick, pace());
    go(shown + 1);
  }, pace()));
}

function pause() {
  clearTimeout(timer);
  setPlaying(null);
}

function pace() {
  return 1000 / Number(byId("speed").value);
}

function setPlaying(running) {
  timer = running;
  const button = byId("play");
  button.setAttribute("aria-pressed", String(running !== null));
  button.setAttribute("aria-label", running === null ? "Play" : "Pause");
  byId("now").setAttribute("aria-live", running === null ? "polite" : "off"); // or a reader would never come to an end
}

function togglePlaying() {
  if (timer === null) play();
  else pause();
}

/* A step that the reader takes stops the film. */
function step(position) {
  pause();
  go(position);
}

function jumpToDifference(direction) {
  const found = nextDifference(shown, direction);
  if (found !== null) step(found);
}

const KEYS = {
  ArrowLeft: (event) => (event.shiftKey ? jumpToDifference(-1) : step(shown - 1)),
  ArrowRight: (event) => (event.shiftKey ? jumpToDifference(1) : step(shown + 1)),
  PageUp: () => step(shown - 10),
  PageDown: () => step(shown + 10),
  Home: () => step(0),
  End: () => step(last),
  " ": togglePlaying,
};

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("select")) return;
  if (event.key === " " && event.target.matches("button")) return; // which is pressed by it
  const inMoves = event.target.matches(".move") && { ArrowUp: KEYS.ArrowLeft, ArrowDown: KEYS.ArrowRight }[event.key];
  const act = inMoves || KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act(event);
}

function saveRecord() {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([`${JSON.stringify(game.record)}\n`], { type: "application/json" }));
  link.download = "game.json";
  link.click();
  URL.revokeObjectURL(link.href);
}

function begin() {
  byId("eyes").textContent = game.perspective === null ? "everything is shown" : `as seat ${game.perspective} sees it`;
  byId("save").hidden = !game.record;
  byId("save").addEventListener("click", saveRecord);
  byId("slider").max = last;
  byId("slider").addEventListener("input", () => step(Number(byId("slider").value)));
  const steps = { first: () => 0, back: () => shown - 1, forward: () => shown + 1, last: () => last };
  for (const [id, where] of Object.entries(steps)) byId(id).addEventListener("click", () => step(where()));
  byId("play").addEventListener("click", togglePlaying);
  byId("thoughts").hidden = game.agents.length === 0;
  byId("differs-back").addEventListener("click", () => jumpToDifference(-1));
  byId("differs-forward").addEventListener("click", () => jumpToDifference(1));
  document.addEventListener("keydown", onKey);
  arrangeAreas();
  listMoves();
  offerCharts();
  go(0);
}

begin();
