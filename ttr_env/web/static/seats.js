/* Choosing who sits where: a person, or one of the server's agents. */

import { element } from "./dom.js";

/* agents: names to choose from; seats: who is chosen; notes: what agents are like, by name. */
export function seatChooser(agents, seats, notes = {}) {
  const list = element("ol", { class: "seats", start: "0" });
  const rows = seats.map((seat, place) => row(agents, seat, place, notes));
  list.append(...rows.map((each) => each.element));
  return { element: list, seats: () => rows.map((each) => each.seat()) };
}

function row(agents, seat, place, notes) {
  const name = element("input", { type: "text", maxlength: 24, placeholder: "name", value: seat.name, "aria-label": `Name of the person in seat ${place}` });
  const choice = element(
    "select",
    { "aria-label": `Who sits in seat ${place}`, onchange: () => settle() },
    element("option", { value: "" }, "a person"),
    ...agents.map((agent) => element("option", { value: agent, selected: agent === seat.agent }, agent)),
  );
  const note = element("span", { class: "faint note", "aria-live": "polite" });
  const settle = () => {
    name.hidden = choice.value !== "";
    note.textContent = notes[choice.value] ?? "";
  };
  settle();
  return {
    element: element("li", {}, choice, name, note),
    seat: () => ({ agent: choice.value === "" ? null : choice.value, name: name.value }),
  };
}
