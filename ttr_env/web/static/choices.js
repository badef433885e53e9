/* What the player may do, as a list: the same offers that can be clicked on the map and on the table. */

import { at, element, fill } from "./dom.js";
import { card } from "./panels.js";

export class Choices {
  #filter = "";
  #kept = new Set();
  #key = null;
  #tracks = ""; // that can be claimed, and how, as it was shown last

  /* map: a GameMap; act(action): decide so. */
  constructor(map, act) {
    this.panel = at("choices");
    this.dialog = at("pay");
    this.map = map;
    this.act = act;
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
  }

  show(offer, state, table) {
    this.table = table;
    const tracks = JSON.stringify(offer?.tracks ?? {});
    if (tracks !== this.#tracks) this.dialog.close(); // what it asks makes no sense any more
    this.#tracks = tracks;
    this.panel.hidden = table.seat === null || state.result !== null;
    this.#settleDown(Boolean(offer?.tickets));
    if (offer === null || (!offer.tickets && !Object.keys(offer.tracks).length && !offer.others.length)) {
      fill(this.panel, offer?.note ?? null, () => [element("h2", {}, "Claim a route"), element("p", { class: "faint" }, offer?.note || "Routes that you can claim are listed here.")]);
      return;
    }
    const offered = state.tickets.filter((ticket) => ticket.how === "offered");
    const key = JSON.stringify(offered.map((ticket) => ticket.ticket));
    if (key !== this.#key) this.#kept.clear();
    this.#key = key;
    fill(this.panel, [offer, offered], () => (offer.tickets ? this.#tickets(offer, offered) : [...this.#others(offer), ...this.#routes(offer)]));
    if (offer.tickets) this.#showKept(offered);
  }

  /* Tickets are chosen before anything else is looked at; otherwise what is clicked most stays where it is. */
  #settleDown(first) {
    if (this.panel.classList.contains("first") === first) return;
    this.panel.classList.toggle("first", first);
    if (first) at("supply").closest("section").before(this.panel);
    else at("hand").closest("section").after(this.panel);
  }

  get choosesTickets() {
    return !this.panel.hidden && this.panel.querySelector("fieldset") !== null;
  }

  /* A track was clicked, on the map or in the list; a finger, which hides what it points at, is asked whether it meant it. */
  choose(track, byFinger = false) {
    const about = this.map.tracks[track];
    if (!about) return;
    const isClear = about.ways.length === 1;
    if (isClear && !byFinger) {
      this.act(about.ways[0].act);
      return;
    }
    this.dialog.replaceChildren(
      element("h2", { id: "pay-head" }, isClear ? `Claim ${about.name}?` : `How do you pay for ${about.name}?`),
      element("p", { class: "faint" }, about.notes.join(", ")),
      element("ul", { class: "ways" }, ...about.ways.map((way) => element("li", {}, this.#way(way)))),
      element("form", { method: "dialog" }, element("button", { class: "quiet" }, "Cancel")),
    );
    this.dialog.showModal();
  }

  #way(way) {
    const pay = () => {
      this.dialog.close();
      this.act(way.act);
    };
    const cards = Object.entries(way.cards).map(([kind, number]) => card(kind, this.table.letters[kind], number, { "aria-hidden": "true" }));
    return element("button", { type: "button", class: "way", onclick: pay }, ...cards, element("span", {}, way.words));
  }

  #others(offer) {
    return offer.others.length
      ? [element("div", { class: "others" }, ...offer.others.map(({ act, words }) => element("button", { type: "button", "data-id": `act-${act}`, onclick: () => this.act(act) }, words)))]
      : [];
  }

  #routes(offer) {
    const tracks = Object.entries(offer.tracks).sort(([, one], [, other]) => other.useful - one.useful || one.name.localeCompare(other.name));
    if (!tracks.length) return [];
    const list = element("ul", { class: "routes" }, ...tracks.map(([track, about]) => element("li", {}, this.#route(track, about))));
    const search = element("input", {
      type: "search",
      placeholder: "city",
      value: this.#filter,
      "data-id": "filter",
      "aria-label": "Show only routes with this in their name",
      oninput: (event) => {
        this.#filter = event.target.value;
        this.#narrow(list);
      },
    });
    this.#narrow(list);
    return [element("div", { class: "head" }, element("h2", {}, `Claim a route (${tracks.length} within reach)`), search), list];
  }

  #narrow(list) {
    const wanted = this.#filter.trim().toLocaleLowerCase();
    for (const item of list.children) item.hidden = !item.textContent.toLocaleLowerCase().includes(wanted);
  }

  #route(track, about) {
    const cost = about.ways.length === 1 ? about.ways[0].words : `${about.ways.length} ways to pay`;
    return element(
      "button",
      {
        type: "button",
        class: "route",
        "data-id": `track-${track}`,
        onclick: () => this.choose(track),
        onpointerenter: () => this.map.point(track),
        onpointerleave: () => this.map.point(null),
        onfocus: () => this.map.point(track),
        onblur: () => this.map.point(null),
      },
      element("span", { class: "dot card", "data-card": about.colour, "aria-hidden": "true" }, this.table.letters[about.colour] ?? ""),
      element("span", { class: "name" }, about.name, about.useful ? element("span", { class: "useful-note", title: "on the way to a ticket of yours" }, "★", element("span", { class: "unseen" }, " on the way to a ticket")) : null),
      element("span", { class: "faint" }, about.notes.join(", ")),
      element("span", { class: "cost" }, cost),
    );
  }

  #tickets(offer, offered) {
    const boxes = offered.map((ticket) =>
      element(
        "label",
        { class: "offered", onpointerenter: () => this.map.showWays([ticket]), onpointerleave: () => this.#showKept(offered) },
        element("input", {
          type: "checkbox",
          "data-id": `keep-${ticket.ticket}`,
          checked: this.#kept.has(ticket.ticket),
          onchange: (event) => this.#keep(event.target.checked, ticket, offer, offered),
          onfocus: () => this.map.showWays([ticket]),
          onblur: () => this.#showKept(offered),
        }),
        element("span", { class: "name" }, ticket.name),
        element("span", { class: "faint" }, ticket.note),
        element("b", {}, String(ticket.points), element("span", { class: "unseen" }, " points")),
      ),
    );
    return [
      element("fieldset", {}, element("legend", { class: "unseen" }, offer.question), ...boxes),
      element("button", { type: "button", class: "main", id: "keep", "data-id": "keep", disabled: true, onclick: () => this.#confirm(offer) }, "Keep"),
      element("p", { class: "faint" }, offer.note),
    ];
  }

  #keep(wanted, ticket, offer, offered) {
    if (wanted) this.#kept.add(ticket.ticket);
    else this.#kept.delete(ticket.ticket);
    this.map.showWays([ticket]);
    this.#settle(offer, offered);
  }

  #settle(offer, offered) {
    const button = at("keep");
    if (!button) return;
    button.disabled = this.#action(offer) === undefined;
    const points = offered.filter((each) => this.#kept.has(each.ticket)).reduce((sum, each) => sum + each.points, 0);
    button.textContent = this.#kept.size ? `Keep ${this.#kept.size} (${points} points)` : "Keep";
  }

  #action(offer) {
    const wanted = [...this.#kept].sort((one, other) => one - other).join();
    return offer.tickets.keep.find((keep) => keep.tickets.join() === wanted)?.act;
  }

  #confirm(offer) {
    const action = this.#action(offer);
    if (action !== undefined) this.act(action);
  }

  #showKept(offered) {
    this.map.showWays(offered.filter((ticket) => this.#kept.has(ticket.ticket)));
  }
}
