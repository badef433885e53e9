/* Taking a game home: a link, a record, a picture, a film; and playing on from one of its positions. */

import { at, element, post, save } from "./dom.js";
import { seatChooser } from "./seats.js";

const HERE = "These links work on this machine alone. For others in your network, end the server and start it with ";
const OPENLY = "ttr serve --host 0.0.0.0";
const ALONE = "This link opens on this machine alone. Elsewhere, paste it into the lobby of a ttr serve that runs there, under “Look at a game”.";

function openDialog(id, ...children) {
  const dialog = at(id);
  dialog.replaceChildren(...children.filter((child) => child !== null), element("form", { method: "dialog" }, element("button", { class: "quiet" }, "Close")));
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

/* Put a link into the clipboard, where the browser allows that; whoever reads the box can take it from there. */
async function copy(box, told) {
  box.select();
  try {
    await navigator.clipboard.writeText(box.value);
    told.textContent = "copied";
  } catch {
    told.textContent = "copy it from here";
  }
}

/* where(): {table, secret, decision, eyes} of what is shown; table: as the server tells it. */
export function share(where, name, table) {
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
        const told = element("span", {});
        said.replaceChildren(box, " ", told, table.reach === "machine" ? element("span", { class: "reach" }, ALONE) : "");
        await copy(box, told);
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
    table.closes ? closing(where, said) : null,
  );
}

/* Two clicks, as there is no way back. */
function closing(where, said) {
  const button = element("button", { type: "button", class: "quiet", onclick: () => button.replaceWith(sure) }, "Close this table");
  const sure = element(
    "button",
    {
      type: "button",
      onclick: complaining(said, async () => {
        await post("/api/close", where());
        location.assign("/");
      }),
    },
    "Close it for everybody; what is not saved is gone",
  );
  return button;
}

export function invite({ links: { seats, look_on: lookOn }, reach }) {
  openDialog(
    "sharing",
    element("h2", { id: "sharing-head" }, "Links to this table"),
    element("p", { class: "faint" }, "Whoever opens a link plays that seat, and sees only what it may know."),
    reach === "machine" ? element("p", { class: "reach" }, HERE, element("code", {}, OPENLY), ".") : null,
    ...seats.map(({ seat, name, link }) => invitation(`Seat ${seat}: ${name}`, link)),
    element("p", { class: "faint" }, "Others can look on: they see what everybody sees, and everything once the game is over."),
    invitation("Looking on", lookOn),
  );
}

function invitation(whose, link) {
  const { href } = new URL(link, location.href);
  const box = element("input", { type: "text", readonly: true, value: href, "aria-label": whose, onfocus: (event) => event.target.select() });
  const told = element("span", { role: "status" });
  const button = element("button", { type: "button", class: "quiet", "aria-label": `Copy the link: ${whose}`, onclick: () => copy(box, told) }, "Copy");
  return element("div", { class: "invitation" }, element("span", {}, whose, " ", told), box, button);
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
