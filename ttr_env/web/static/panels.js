/* The panels beside the map. They show what the server tells, and know no rule. */

import { at, capital, element, fill } from "./dom.js";

export const SIGNS = { offered: "?", open: "○", failed: "✗", done: "✓" };
const FIGURES = { points: "points", trains: "trains", cards: "cards", tickets: "tickets", tolls: "tolls", loans: "loans" };

/* A card: its colour, its letter, and how many of it there are. */
export function card(kind, letter, number = null, more = {}) {
  const name = number === null ? kind : `${number} ${kind}`;
  const text = number === null ? letter : `${letter} ${number}`;
  return element("span", { class: "card", "data-card": kind, title: name, ...more }, element("b", { "aria-hidden": "true" }, text), element("span", { class: "unseen" }, name));
}

export function swatch(table, seat) {
  const box = element("span", { class: "swatch", "aria-hidden": "true" });
  box.innerHTML = table.swatches[seat] ?? table.swatches.at(-1); // the renderer's drawing of a player's trains
  return box;
}

export function supply(state, offer, table, act) {
  fill(at("supply"), [state.row, state.places, state.piles, offer?.row, offer?.piles], () => [
    element("ul", { class: "row" }, ...Array.from({ length: state.places }, (_, place) => rowCard(state.row[place], place, offer, table, act))),
    element("ul", { class: "piles" }, ...Object.entries(state.piles).map(([pile, number]) => pileOf(pile, number, offer, act))),
  ]);
}

function rowCard(kind, place, offer, table, act) {
  if (kind === undefined) return element("li", {}, element("span", { class: "card empty" }, "–"));
  const action = offer?.row[kind];
  const face = [element("b", { "aria-hidden": "true" }, table.letters[kind]), element("span", { class: "kind" }, kind)];
  return element(
    "li",
    {},
    element(
      "button",
      {
        type: "button",
        class: "card",
        "data-card": kind,
        "data-id": `row-${place}`,
        "aria-keyshortcuts": String(place + 1),
        "aria-label": `Take ${kind}`,
        disabled: action === undefined,
        onclick: () => act(action),
      },
      ...face,
    ),
  );
}

const PILES = { deck: ["Draw from the deck", "d"], tickets: ["Draw tickets", "t"] };

function pileOf(pile, number, offer, act) {
  const inside = [element("b", {}, String(number)), element("span", { class: "kind" }, pile)];
  if (!(pile in PILES)) return element("li", {}, element("span", { class: "pile" }, ...inside));
  const action = offer?.piles[pile];
  const [label, key] = PILES[pile];
  return element(
    "li",
    {},
    element(
      "button",
      {
        type: "button",
        class: "pile",
        "data-id": `pile-${pile}`,
        "aria-keyshortcuts": key,
        "aria-label": `${label}; ${number} left`,
        disabled: action === undefined,
        onclick: () => act(action),
      },
      ...inside,
    ),
  );
}

export function hand(state, table) {
  const hidden = state.shown === null;
  at("hand").closest("section").hidden = at("tickets").closest("section").hidden = hidden;
  if (hidden) return;
  at("hand-head").textContent = table.seat === state.shown ? "Your hand" : `Hand of ${table.seats[state.shown].name}`;
  fill(at("hand"), state.hand, () =>
    table.kinds.map((kind) => {
      const number = state.hand[kind] ?? 0;
      return element("li", { class: number ? "" : "none" }, card(kind, table.letters[kind], number));
    }),
  );
}

export function tickets(state, table, show) {
  if (state.shown === null) return;
  at("tickets-head").textContent = table.seat === state.shown ? "Your tickets" : `Tickets of ${table.seats[state.shown].name}`;
  fill(at("tickets"), state.tickets, () =>
    state.tickets
      .filter((ticket) => ticket.how !== "offered")
      .map((ticket) => element("li", { class: `is-${ticket.how}` }, ticketButton(ticket, show))),
  );
}

function ticketButton(ticket, show) {
  return element(
    "button",
    {
      type: "button",
      class: "ticket",
      "data-id": `ticket-${ticket.ticket}`,
      onpointerenter: () => show([ticket]),
      onpointerleave: () => show(null),
      onfocus: () => show([ticket]),
      onblur: () => show(null),
    },
    element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[ticket.how]),
    element("span", { class: "name" }, ticket.name),
    element("span", { class: "faint" }, ticket.note),
    element("b", {}, String(ticket.points), element("span", { class: "unseen" }, " points")),
  );
}

export function players(state, table) {
  const heads = Object.keys(state.players[0].figures);
  fill(at("players"), [state.players, state.player], () => [
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, element("span", { class: "unseen" }, "Player")), ...heads.map((head) => element("th", { scope: "col" }, FIGURES[head])))),
      element("tbody", {}, ...state.players.flatMap((player, seat) => playerRows(player, seat, state, table, heads))),
    ),
  ]);
}

function playerRows(player, seat, state, table, heads) {
  const moves = seat === state.player;
  const name = element(
    "th",
    { scope: "row" },
    swatch(table, seat),
    element("span", { class: "who" }, seat === table.seat ? `${player.name} (you)` : player.name),
    moves ? element("span", { class: "turn" }, "to move") : null,
  );
  const cards = Object.entries(player.cards).map(([kind, number]) => card(kind, table.letters[kind], number));
  const note = [player.note ? element("span", { class: "faint" }, `${player.note} `) : null];
  if (cards.length) note.push(element("span", { class: "faint" }, player.which === "hand" ? "hand " : "known "), ...cards);
  return [
    element("tr", { class: moves ? "moves" : "" }, name, ...heads.map((head) => element("td", {}, player.figures[head] ?? ""))),
    element("tr", { class: moves ? "moves notes" : "notes" }, element("td", { colspan: heads.length + 1 }, ...note.filter(Boolean))),
  ];
}

export class Log {
  #lines = [];

  constructor(list, chosen) {
    this.list = list;
    this.chosen = chosen;
  }

  /* Take in what happened: all lines from a number on are new. */
  tell({ from, told }, table) {
    while (this.#lines.length > from) this.#lines.pop().remove();
    for (const line of told) {
      const number = this.#lines.length;
      const item = element(
        "li",
        { "data-text": `${capital(line.who)} ${line.did}.`, "data-seat": line.seat },
        element("button", { type: "button", class: "line", onclick: () => this.chosen(number + 1) }, swatch(table, line.seat), element("b", {}, capital(line.who)), ` ${line.did}`),
      );
      this.#lines.push(item);
      this.list.append(item);
    }
  }

  /* What led to the position after so many decisions: the last first, and what came before since a seat decided. */
  recent(decision, seat, most) {
    const found = [];
    for (let number = decision - 1; number >= 0 && found.length < most; number--) {
      const { text, seat: whose } = this.#lines[number].dataset;
      if (found.length && Number(whose) === seat) break;
      found.push(text);
    }
    return found;
  }

  /* Point out what led to a position. This measures, so it comes when everything else is in its place. */
  mark(decision) {
    this.list.querySelector('[aria-current="true"]')?.removeAttribute("aria-current");
    const line = this.#lines[decision - 1];
    if (line === undefined) return;
    line.setAttribute("aria-current", "true");
    const { offsetTop, offsetHeight } = line;
    const { list } = this;
    const top = offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  }
}

export function result(told, table) {
  const panel = at("result");
  panel.hidden = told === null;
  if (told === null) return;
  const parts = told.columns.map((column, place) =>
    element("tr", { class: place === told.columns.length - 1 ? "total" : "" }, element("th", { scope: "row" }, column), ...told.rows.map((row) => element("td", {}, String(row.parts[place]).replace("-", "−")))),
  );
  fill(panel, told, () => [
    element("h2", { id: "result-head" }, "The game is over"),
    element("p", { class: "verdict" }, capital(told.verdict)),
    element(
      "table",
      {},
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          element("td", {}),
          ...told.rows.map((row) => element("th", { scope: "col", class: row.won ? "won" : "" }, swatch(table, row.seat), element("span", {}, `${row.rank}. ${row.name}`))),
        ),
      ),
      element("tbody", {}, ...parts),
    ),
    element("div", { class: "doing" }, element("a", { class: "button", href: "/" }, "New game")),
  ]);
}
