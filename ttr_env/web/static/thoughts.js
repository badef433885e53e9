/* What agents think of a decision, side by side. */

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
    place.replaceChildren(element("p", { class: "faint" }, "Thinking…"));
    this.ask(agents);
  }

  /* The question was not answered, for a reason that is told elsewhere. */
  refused() {
    if (this.#place !== null && !this.#answers.size) this.#clear();
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
    this.#place.replaceChildren(...[...this.#answers.values()].map((each) => answer(each)));
    const best = opinion.choice?.track;
    if (best !== null && best !== undefined) this.map.suggest([best]);
  }

  /* Another position is shown: opinions about the old one make no sense on the map. */
  moved(decision) {
    if (decision === this.#shown) return;
    this.#shown = decision;
    this.map.suggest([]);
    if (this.#asked !== null) this.#clear();
  }
}

function answer(opinion) {
  const head = element("h3", {}, opinion.agent);
  if (opinion.failed) return element("section", { class: "answer" }, head, element("p", {}, opinion.failed));
  const worth = opinion.value === null ? null : element("p", { class: "faint" }, `thinks the position is worth ${opinion.value.toFixed(2)}`);
  const differs = opinion.played !== null && opinion.played !== opinion.choice.words;
  const isChoice = (option) => option.words === opinion.choice.words;
  const isTold = (option, place) => place < MOST || isChoice(option) || option.words === opinion.played;
  const options = opinion.options.filter((option) => numbers(option)).filter(isTold);
  return element(
    "section",
    { class: "answer" },
    head,
    options.some(isChoice) ? null : element("p", { class: "choice" }, opinion.choice.words),
    differs ? element("p", { class: "differs" }, `Played was: ${opinion.played}`) : null,
    worth,
    element("ol", {}, ...options.map((option) => thought(option, isChoice(option)))),
  );
}

function thought(option, isChoice) {
  const share = option.probability ?? option.mean;
  const bar = element("span", { class: "bar", "aria-hidden": "true" });
  bar.hidden = share === null || share === undefined;
  if (!bar.hidden) bar.style.setProperty("--share", Math.min(Math.max(share, 0), 1));
  const told = [numbers(option), isChoice ? "its choice" : ""].filter(Boolean).join(", ");
  return element("li", { class: isChoice ? "choice" : "" }, element("span", { class: "name" }, option.words), element("span", { class: "faint" }, told), bar);
}

const percent = (share) => (share < 0.1 ? "<0.1 %" : `${share.toFixed(share < 10 ? 1 : 0)} %`);

function numbers({ probability, mean, error, worlds }) {
  const parts = [];
  if (probability !== null) parts.push(percent(100 * probability));
  if (mean !== null) parts.push(`mean ${mean.toFixed(3)}${error === null ? "" : ` ± ${error.toFixed(3)}`}`);
  if (worlds) parts.push(worlds === 1 ? "1 world" : `${worlds} worlds`); // none where the agent was sure without a search
  return parts.join(", ");
}
