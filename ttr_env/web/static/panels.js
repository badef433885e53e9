/* The panels beside the map. They show what the server tells, and know no rule. */

import { at, capital, element, fill } from "./dom.js";

const AND = new Intl.ListFormat("en");
export const SIGNS = { offered: "?", open: "○", failed: "✗", done: "✓" };
const FIGURES = { points: "points", trains: "trains", cards: "cards", tickets: "tickets", tolls: "tolls", loans: "loans" };

/* A card: its colour, its letter, and how many of it there are. */
export function card(kind, letter, number = null, more = {}) {
  const name = number === null ? kind : `${number} ${kind}`;
  const text = number === null ? letter : `${letter} ${number}`;
  return element("span", { class: "card", "data-card": kind, title: name, ...more }, element("b", { "aria-hidden": "true" }, text), element("span", { class: "unseen" }, name));
}

const NEUTRAL = -1; // its swatch comes last

export function swatch(table, seat) {
  const box = element("span", { class: "swatch", "aria-hidden": "true" });
  box.innerHTML = table.swatches.at(seat); // the renderer's drawing of a player's trains
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
  const laidOpen = state.spread.length > 0;
  const own = table.seat === state.shown ? "Your tickets" : `Tickets of ${table.seats[state.shown].name}`;
  at("tickets-head").textContent = laidOpen ? "Everybody's tickets" : own;
  fill(at("tickets"), [state.tickets, state.spread], () =>
    laidOpen ? state.spread.flatMap((each) => [owner(each.seat, table), ...listed(each.tickets, show)]) : listed(state.tickets, show),
  );
}

const owner = (seat, table) => element("li", { class: "owner" }, swatch(table, seat), table.seats[seat].name);

function listed(tickets, show) {
  return tickets.filter((ticket) => ticket.how !== "offered").map((ticket) => element("li", { class: `is-${ticket.how}` }, ticketButton(ticket, show)));
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
    swatch(table, player.neutral ? NEUTRAL : seat),
    element("span", { class: "who" }, seat === table.seat ? `${player.name} (you)` : player.name),
    moves ? element("span", { class: "turn" }, "to move") : null,
  );
  const cards = Object.entries(player.cards).map(([kind, number]) => card(kind, table.letters[kind], number));
  const note = cards.length ? [element("span", { class: "faint" }, player.which === "hand" ? "hand " : "known "), ...cards] : [];
  if (player.note) note.push(element("span", { class: "faint" }, ` ${player.note}`));
  return [
    element("tr", { class: moves ? "moves" : "" }, name, ...heads.map((head) => element("td", {}, player.figures[head] ?? ""))),
    element("tr", { class: moves ? "moves notes" : "notes" }, element("td", { colspan: heads.length + 1 }, ...note)),
  ];
}

const TIMES = ["", "", " twice"];

/* Deeds, each told once: "drew a card from the deck twice". */
function counted(deeds) {
  const times = new Map();
  for (const deed of deeds) times.set(deed, (times.get(deed) ?? 0) + 1);
  return [...times].map(([deed, number]) => deed + (TIMES[number] ?? ` ${number} times`));
}

export class Log {
  #lines = []; // each with its element, its seat, who it was and what they did

  constructor(list, chosen) {
    this.list = list;
    this.chosen = chosen;
  }

  /* Take in what happened: all lines from a number on are new. */
  tell({ from, told }, table) {
    while (this.#lines.length > from) this.#lines.pop().item.remove();
    for (const { seat, who, did } of told) {
      const number = this.#lines.length;
      const item = element(
        "li",
        {},
        element("button", { type: "button", class: "line", onclick: () => this.chosen(number + 1) }, swatch(table, seat), element("b", {}, capital(who)), ` ${did}`),
      );
      this.#lines.push({ item, seat, who, did });
      this.list.append(item);
    }
  }

  /* What led to the position after so many decisions, a sentence for each turn: the last first, and what came before since
     a seat decided. */
  recent(decision, seat, most) {
    const turns = [];
    for (let number = decision - 1; number >= 0; number--) {
      const line = this.#lines[number];
      if (turns.at(-1)?.seat === line.seat) turns.at(-1).deeds.unshift(line.did);
      else if (turns.length === most || (turns.length && line.seat === seat)) break;
      else turns.push({ seat: line.seat, who: line.who, deeds: [line.did] });
    }
    return turns.map(({ who, deeds }) => `${capital(who)} ${AND.format(counted(deeds))}.`);
  }

  /* Point out what led to a position. This measures, so it comes when everything else is in its place. */
  mark(decision) {
    this.list.querySelector('[aria-current="true"]')?.removeAttribute("aria-current");
    const line = this.#lines[decision - 1]?.item;
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
  fill(panel, told, () => [
    element("h2", { id: "result-head" }, "Scores"),
    element("p", { class: "verdict" }, capital(told.verdict)),
    ...told.ties.map((tie) => element("p", { class: "tie" }, capital(tie))),
    element("ol", { class: "ranking" }, ...told.rows.map((row) => element("li", { class: row.won ? "won" : "" }, ...scored(row, told.columns, table)))),
    element("div", { class: "doing" }, element("a", { class: "button", href: "/" }, "New game")),
  ]);
}

/* A player's total, which comes last among the parts, and below it what it is made of. */
function scored(row, columns, table) {
  const points = row.parts.map((part) => String(part).replace("-", "−"));
  const parts = columns.slice(0, -1).map((column, place) => element("div", {}, element("dt", {}, column), element("dd", {}, points[place])));
  return [
    element("p", { class: "head" }, element("span", { class: "rank" }, `${row.rank}.`), swatch(table, row.seat), element("span", { class: "who" }, row.name), element("b", { class: "total" }, points.at(-1), element("span", { class: "unseen" }, " points"))),
    element("dl", {}, ...parts),
  ];
}
