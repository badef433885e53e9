/* The map: the renderer's drawing, with what can be clicked, what is pointed at, and what a ticket still needs. */

import { panWithMouse } from "./panning.js";

/* global Board */

const REACH = 20; // pixels around a track in which a click still means it
const SCALES = [1, 1.5, 2.2, 3.2];

export class GameMap {
  #drawing = null;
  #board = null;
  #spots = null; // [track, points] of what can be clicked, in the drawing's units; worked out when somebody points
  #scale = 0;

  constructor(frame, tip, clicked) {
    this.frame = frame;
    this.tip = tip;
    this.clicked = clicked;
    this.tracks = {};
    this.pointed = null;
    panWithMouse(frame);
    frame.addEventListener("pointermove", (event) => this.#hover(event));
    frame.addEventListener("pointerleave", () => this.point(null));
    frame.addEventListener("click", (event) => this.#click(event));
  }

  /* Begin a drawing of its own; what was there before is forgotten. */
  forget() {
    this.#board = null;
  }

  show(shell, pieces, picture) {
    if (this.#board === null) {
      this.frame.innerHTML = `${shell}</svg>`; // the renderer's, with every text in it escaped
      this.#drawing = this.frame.firstElementChild;
      this.#drawing.setAttribute("role", "img");
      this.#drawing.setAttribute("aria-label", "The board");
      this.#board = new Board(this.#drawing);
      this.frame.style.setProperty("--shape", this.#drawing.viewBox.baseVal.width / this.#drawing.viewBox.baseVal.height);
    }
    this.#board.learn(pieces);
    this.#board.show(picture);
  }

  /* Say which tracks can be clicked: by number, as the server offers them. */
  offer(tracks) {
    this.tracks = tracks;
    this.#mark("legal", Object.keys(tracks).map((track) => `track-${track}`));
    this.#mark("useful", Object.keys(tracks).filter((track) => tracks[track].useful).map((track) => `track-${track}`));
    this.frame.classList.toggle("asks", Object.keys(tracks).length > 0);
    this.#spots = null;
    this.point(null);
  }

  /* Show cities, and tracks that lie between them: [{cities, tracks}], or nothing. */
  showWays(ways) {
    this.#mark("goal", ways.flatMap((way) => way.cities.map((city) => `city-${city}`)));
    this.#mark("way", ways.flatMap((way) => way.tracks.map((track) => `track-${track}`)));
  }

  /* Draw the eye to a track for a moment. */
  flash(track) {
    const element = this.#board?.at(`track-${track}`);
    if (!element) return;
    element.classList.remove("fresh");
    void element.getBoundingClientRect();
    element.classList.add("fresh");
  }

  suggest(tracks) {
    this.#mark("suggested", tracks.map((track) => `track-${track}`));
  }

  point(track, event = null) {
    if (this.pointed !== track) {
      this.#mark("pointed", track === null ? [] : [`track-${track}`]);
      this.pointed = track;
    }
    const about = track === null ? undefined : this.tracks[track];
    this.tip.hidden = !about || event === null;
    if (!this.tip.hidden) this.#place(about, event);
  }

  get isEnlarged() {
    return this.#scale > 0;
  }

  zoom(step) {
    this.#scale = Math.min(Math.max(this.#scale + step, 0), SCALES.length - 1);
    const { frame } = this;
    const middle = [(frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth, (frame.scrollTop + frame.clientHeight / 2) / frame.scrollHeight];
    frame.style.setProperty("--zoom", SCALES[this.#scale]);
    frame.classList.toggle("enlarged", this.isEnlarged);
    frame.scrollLeft = middle[0] * frame.scrollWidth - frame.clientWidth / 2;
    frame.scrollTop = middle[1] * frame.scrollHeight - frame.clientHeight / 2;
  }

  #mark(name, keys) {
    const wanted = new Set(keys.map((key) => this.#board?.at(key)).filter(Boolean));
    for (const element of this.frame.querySelectorAll(`.${name}`)) if (!wanted.has(element)) element.classList.remove(name);
    for (const element of wanted) element.classList.add(name);
  }

  /* The middles of a track's spaces. */
  #points(track) {
    const spaces = this.#board?.at(`track-${track}`)?.querySelectorAll("polygon") ?? [];
    return [...spaces].map((space) => {
      const box = space.getBBox();
      return [box.x + box.width / 2, box.y + box.height / 2, Math.max(box.width, box.height) / 2];
    });
  }

  #nearest(event) {
    if (this.#drawing === null) return null;
    this.#spots ??= Object.keys(this.tracks).map((track) => [track, this.#points(track)]);
    if (!this.#spots.length) return null;
    const screen = this.#drawing.getScreenCTM();
    if (screen === null) return null;
    const direct = event.target.closest?.("[data-track]")?.dataset.track;
    if (direct !== undefined && direct in this.tracks) return direct;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(screen.inverse());
    let best = [REACH / screen.a, null];
    for (const [track, points] of this.#spots) {
      for (const [px, py] of points) {
        const far = Math.hypot(px - x, py - y);
        if (far < best[0]) best = [far, track];
      }
    }
    return best[1];
  }

  #hover(event) {
    const track = this.frame.classList.contains("dragged") ? null : this.#nearest(event);
    this.frame.classList.toggle("on-track", track !== null);
    this.point(track, event.pointerType === "touch" ? null : event);
  }

  #click(event) {
    const track = this.#nearest(event);
    if (track !== null) this.clicked(track, event.pointerType === "touch");
  }

  #place(about, event) {
    const cost = about.ways.length === 1 ? about.ways[0].words : `${about.ways.length} ways to pay`;
    this.tip.textContent = [about.name, about.notes.join(", "), cost].join("\n");
    const bounds = this.frame.parentElement.getBoundingClientRect();
    const width = this.tip.offsetWidth;
    const left = Math.min(Math.max(event.clientX - bounds.left - width / 2, 6), bounds.width - width - 6);
    this.tip.style.left = `${left}px`;
    this.tip.style.top = `${Math.max(event.clientY - bounds.top - this.tip.offsetHeight - 16, 4)}px`;
  }
}
