"use strict";

/* What agents think of the decision that is to be taken in the position. */

function differs(decision) {
  return game.opinions[decision]?.some((opinion) => opinion.differs) ?? false;
}

function differingAgents(decision) {
  return game.agents.filter((_, agent) => game.opinions[decision][agent].differs).join(" and ");
}

function optionItem([sentence, chosen, played, probability, mean, error, worlds, track]) {
  const item = make("li", played ? "option played" : "option");
  if (probability !== null) {
    const share = make("span", "share");
    share.style.width = `${100 * probability}%`;
    item.append(share);
  }
  const line = make("span", "words");
  line.append(make("span", "", game.sentences[sentence]));
  if (probability !== null) line.append(make("span", "percent", tellShare(probability)));
  const notes = make("span", "notes");
  if (chosen) notes.append(make("span", "tag", "its choice"));
  if (played) notes.append(make("span", "tag", "played"));
  if (mean !== null) notes.append(make("span", "", tellMean(mean, error, worlds)));
  item.append(line);
  if (track !== null) pointAtTrack(item, track);
  if (notes.hasChildNodes()) item.append(notes);
  return item;
}

const asked = game.opinions.filter((opinions) => opinions !== null).length;
const differences = game.agents.map((_, agent) => game.opinions.filter((opinions) => opinions?.[agent].differs).length);

/* Whoever points at an option sees where it is. */
function pointAtTrack(item, track) {
  item.addEventListener("pointerenter", () => board.at(`track-${track}`)?.classList.add("pointed"));
  item.addEventListener("pointerleave", () => board.at(`track-${track}`)?.classList.remove("pointed"));
}

function opinionOf(agent, opinion) {
  const section = make("section", "opinion");
  const title = make("h3", "", "");
  title.append(make("span", "", game.agents[agent]), make("span", "rate", `differs in ${differences[agent]} of ${asked}`));
  const options = make("ol");
  options.append(...opinion.options.map(optionItem));
  section.append(title);
  if (opinion.value !== null) section.append(make("p", "worth faint", tellWorth(opinion.value)));
  section.append(options);
  if (!opinion.options.some((option) => option[2])) section.append(make("p", "faint", "It did not consider what was played."));
  return section;
}

function showOpinions(position) {
  if (game.agents.length === 0) return;
  document.querySelectorAll(".pointed").forEach((track) => track.classList.remove("pointed"));
  const told = game.opinions[position] ?? null;
  const parts = told === null ? [make("p", "faint", whyNothing(position))] : told.map((each, agent) => opinionOf(agent, each));
  byId("opinions").replaceChildren(...parts);
  byId("opinions").scrollTop = 0;
  switchOff(byId("differs-back"), nextDifference(position, -1) === null);
  switchOff(byId("differs-forward"), nextDifference(position, 1) === null);
}

function whyNothing(position) {
  if (position === last) return "There is nothing to decide here.";
  return `This is seen from seat ${game.perspective}, so only its own decisions have explanations.`;
}

function nextDifference(position, step) {
  for (let at = position + step; at >= 0 && at < game.opinions.length; at += step) if (differs(at)) return at;
  return null;
}
