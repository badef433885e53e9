"use strict";

/* Stepping through a game. The page knows no rules: every picture, sentence and number comes with it. */

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
    button.addEventListener("click", () => step(index + 1));
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

/* Going from position to position ------------------------------------------------------------ */

let shown = 0;

function go(position) {
  shown = Math.min(last, Math.max(0, position));
  board.show(pictures[shown]);
  byId("slider").value = shown;
  byId("slider").setAttribute("aria-valuetext", `${shown} of ${last}`);
  byId("count").textContent = `${shown} of ${last}`;
  byId("now").textContent = toldNow();
  for (const id of ["first", "back"]) switchOff(byId(id), shown === 0);
  for (const id of ["last", "forward"]) switchOff(byId(id), shown === last);
  markMove(shown);
  showOpinions(shown);
  showScores(shown);
  chart.mark(shown);
  keepAddress();
  if (shown === last) pause();
}

/* The address names the position, so that a link can lead to it; not at every step, as browsers count these changes. */
let addressing = null;

function keepAddress() {
  if (location.protocol === "about:") return; // the frame of a notebook has no address
  clearTimeout(addressing);
  addressing = setTimeout(() => history.replaceState(null, "", `#${shown}`), 300);
}

function toldNow() {
  const before = game.moves[shown - 1];
  const told = before ? `${game.seats[before[0]].told} ${before[1]}. ` : "";
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
  button.classList.toggle("playing", running !== null);
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
  if (event.key.startsWith("Arrow") && event.target.matches(".wide")) return; // which is pushed by them
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
  const addressed = () => Number(location.hash.slice(1)) || 0;
  addEventListener("hashchange", () => step(addressed()));
  go(addressed());
}

begin();
