/* Taking a game home: a link, a record, a picture, a film; and playing on from one of its positions. */

import { at, element, post, save } from "./dom.js";
import { seatChooser } from "./seats.js";

function openDialog(id, ...children) {
  const dialog = at(id);
  dialog.replaceChildren(...children, element("form", { method: "dialog" }, element("button", { class: "quiet" }, "Close")));
  dialog.onclick = (event) => event.target === dialog && dialog.close();
  dialog.showModal();
}

function complaining(place, work) {
  return async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    place.textContent = "";
    try {
      await work(place);
    } catch (error) {
      place.textContent = error.message;
    } finally {
      button.disabled = false;
    }
  };
}

/* where(): {table, secret, decision, eyes} of what is shown. */
export function share(where, name) {
  const said = element("p", { class: "said", role: "status" });
  const button = (label, work) => element("button", { type: "button", onclick: complaining(said, work) }, label);
  openDialog(
    "sharing",
    element("h2", { id: "sharing-head" }, "Take this game with you"),
    element("p", { class: "faint" }, "The link and the record hold the whole game. Nothing is kept anywhere else."),
    element(
      "div",
      { class: "grid" },
      button("Copy link", async () => {
        const { code } = await (await post("/api/record", where())).json();
        const link = `${location.origin}/#r=${code}&at=${where().decision}`;
        const box = element("input", { type: "text", readonly: true, value: link, "aria-label": "Link to this game" });
        said.replaceChildren(box);
        box.select();
        try {
          await navigator.clipboard.writeText(link);
          said.append(" copied");
        } catch {
          said.append(" copy it from here");
        }
      }),
      button("Save record", async () => {
        const { record } = await (await post("/api/record", where())).json();
        save(new Blob([JSON.stringify(record)], { type: "application/json" }), `${name}.json`);
      }),
      button("Picture (SVG)", async () => save(await (await post("/api/picture", { ...where(), kind: "svg" })).blob(), `${name}.svg`)),
      button("Picture (PNG)", async () => save(await (await post("/api/picture", { ...where(), kind: "png" })).blob(), `${name}.png`)),
      button("Film (GIF)", async (place) => {
        place.textContent = "Making the film; that takes some seconds.";
        save(await (await post("/api/film", where())).blob(), `${name}.gif`);
        place.textContent = "The film is ready.";
      }),
    ),
    said,
  );
}

export function invite({ seats, look_on: lookOn }) {
  openDialog(
    "sharing",
    element("h2", { id: "sharing-head" }, "Links to this table"),
    element("p", { class: "faint" }, "Whoever opens a link plays that seat, and sees only what it may know."),
    ...seats.map(({ seat, name, link }) => invitation(`Seat ${seat}: ${name}`, link)),
    element("p", { class: "faint" }, "Others can look on: they see what everybody sees, and everything once the game is over."),
    invitation("Looking on", lookOn),
  );
}

function invitation(whose, link) {
  const { href } = new URL(link, location.href);
  return element("label", { class: "invitation" }, whose, element("input", { type: "text", readonly: true, value: href, onfocus: (event) => event.target.select() }));
}

export function playOn(where, table) {
  const said = element("p", { class: "said", role: "alert" });
  const chooser = seatChooser(table.agents, table.seats.map((seat, place) => ({ agent: table.agents.includes(seat.name) ? seat.name : null, name: place ? "" : "you" })));
  const start = complaining(said, async () => {
    const found = await (await post("/api/play-on", { ...where(), seats: chooser.seats() })).json();
    location.assign(found.seats[0]?.link ?? found.watch);
  });
  openDialog(
    "going-on",
    element("h2", { id: "going-on-head" }, `Play on from decision ${where().decision}`),
    chooser.element,
    element("button", { type: "button", class: "main", onclick: start }, "Play on"),
    said,
  );
}
