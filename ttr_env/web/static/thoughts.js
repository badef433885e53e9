/* What agents think of a decision, side by side. */

/* global tellMean, tellShare, tellWorth */

import { at, element } from "./dom.js";

const NOTED = ["champion", "planner"]; // asked unless others are chosen, where there are such
const MOST = 5; // options that are told of an answer, and what was chosen or played besides

export class Thoughts {
  #answers = new Map(); // by agent
  #shown = null; // the decision before which the position stands that is shown
  #asked = null; // the decision that was asked about, as long as it is that
  #place = null; // where they are told

  constructor(map, ask) {
    this.map = map;
    this.ask = ask;
  }

  /* Offer the agents to be asked. */
  offer(agents) {
    const boxes = agents.map((agent) =>
      element("label", {}, element("input", { type: "checkbox", name: "agent", value: agent, checked: NOTED.includes(agent) }), agent),
    );
    const form = at("ask");
    form.replaceChildren(element("div", { class: "agents" }, ...boxes), element("button", {}, "Ask about this position"));
    form.onsubmit = (event) => {
      event.preventDefault();
      this.#question([...form.querySelectorAll("input:checked")].map((box) => box.value), at("answers"));
    };
  }

  /* What one agent would do, told beside the question. */
  hint(agent) {
    at("advice").hidden = false;
    this.#question([agent], at("advice"));
  }

  #question(agents, place) {
    if (!agents.length) return;
    this.#answers.clear();
    this.#asked = this.#shown;
    this.#place = place;
    this.map.suggest([]);
    place.replaceChildren(element("p", { class: "faint" }, "Thinking…"));
    this.ask(agents);
  }

  /* The question was not answered, and why. */
  refused(why) {
    if (this.#asked === null || this.#answers.size) return;
    this.#asked = null;
    this.#place.replaceChildren(element("p", {}, why));
  }

  #clear() {
    this.#asked = null;
    at("advice").hidden = true;
    for (const place of [at("advice"), at("answers")]) place.replaceChildren();
  }

  hear(opinion) {
    if (opinion.decision !== this.#asked) return; // another position is shown by now
    this.#answers.set(opinion.agent, opinion);
    at("advice").hidden = this.#place !== at("advice");
    if (this.#answers.size === 1) this.#place.replaceChildren(); // that they think
    this.#place.append(answer(opinion, this.map));
    this.map.suggest([...this.#answers.values()].map((each) => each.choice?.track ?? null).filter((track) => track !== null));
  }

  /* Another position is shown: opinions about the old one make no sense on the map. */
  moved(decision) {
    if (decision === this.#shown) return;
    this.#shown = decision;
    this.map.suggest([]);
    this.#clear();
  }
}

function answer(opinion, map) {
  const head = element("h3", {}, opinion.agent);
  if (opinion.failed) return element("section", { class: "answer" }, head, element("p", {}, opinion.failed));
  const worth = opinion.value === null ? null : element("p", { class: "faint" }, tellWorth(opinion.value));
  const differs = opinion.played !== null && opinion.played !== opinion.choice.words;
  const isChoice = (option) => option.words === opinion.choice.words;
  const isTold = (option, place) => place < MOST || isChoice(option) || option.words === opinion.played;
  const options = opinion.options.filter((option) => numbers(option)).filter(isTold);
  return element(
    "section",
    { class: "answer" },
    head,
    options.some(isChoice) ? null : element("p", { class: "choice" }, named(opinion.choice, map)),
    differs ? element("p", { class: "differs" }, `Played was: ${opinion.played}`) : null,
    worth,
    element("ol", {}, ...options.map((option) => thought(option, isChoice(option), map))),
  );
}

function thought(option, isChoice, map) {
  const share = option.probability ?? option.mean;
  const bar = element("span", { class: "bar", "aria-hidden": "true" });
  bar.hidden = share === null || share === undefined;
  if (!bar.hidden) bar.style.setProperty("--share", Math.min(Math.max(share, 0), 1));
  const told = [numbers(option), isChoice ? "its choice" : ""].filter(Boolean).join(", ");
  return element("li", { class: isChoice ? "choice" : "" }, named(option, map), element("span", { class: "faint" }, told), bar);
}

/* An action in words; where it is on the map, for whoever points at it, comes to it with the keyboard, or touches it. */
function named({ words, track }, map) {
  if (track === null) return element("span", { class: "name" }, words);
  const point = () => map.point(track);
  const leave = () => map.point(null);
  return element("button", { type: "button", class: "name", onpointerenter: point, onpointerleave: leave, onfocus: point, onblur: leave, onclick: point }, words);
}

function numbers({ probability, mean, error, worlds }) {
  const parts = [];
  if (probability !== null) parts.push(tellShare(probability));
  if (mean !== null) parts.push(tellMean(mean, error, worlds)); // none where the agent was sure without a search
  return parts.join(", ");
}
