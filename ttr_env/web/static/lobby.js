/* The lobby: asks for a table, or opens a record. */

import { at, element, post } from "./dom.js";
import { seatChooser } from "./seats.js";

let offers = null;
let chooser = null;

async function begin() {
  if (holdsGame()) await follow(location.hash);
  const response = await fetch("/api/lobby");
  offers = await response.json();
  at("maps").replaceChildren(...offers.maps.map((map, place) => mapCard(map, place === 0)));
  seat([{ agent: null, name: localStorage.getItem("name") ?? "you" }, { agent: "planner", name: "" }]);
  at("start").disabled = false;
}

const holdsGame = () => new URLSearchParams(location.hash.slice(1)).has("r");

function mapCard(map, checked) {
  const picture = element("span", { class: "picture", "aria-hidden": "true" });
  draw(map.name, picture);
  return element(
    "label",
    { class: "map" },
    element("input", { type: "radio", name: "map", value: map.name, checked, onchange: settle }),
    picture,
    element("span", {}, map.title),
    element("span", { class: "faint" }, howMany(map.players)),
  );
}

const howMany = ([fewest, most]) => (fewest === most ? `${most} players` : `${fewest} to ${most} players`);

/* As a part of the page, so that it is dark where the page is. */
async function draw(map, picture) {
  const response = await fetch(`/maps/${encodeURIComponent(map)}.svg`);
  if (response.ok) picture.innerHTML = await response.text(); // the renderer's, with every text in it escaped
}

const chosen = () => offers.maps.find((map) => map.name === document.querySelector("[name=map]:checked").value);

function seat(seats) {
  chooser = seatChooser(Object.keys(offers.agents), seats, offers.agents);
  at("seats").replaceChildren(chooser.element);
  settle();
}

function settle() {
  const map = chosen();
  const seats = chooser.seats();
  const [fewest, most] = map.players;
  if (seats.length > most) {
    seat(seats.slice(0, most));
    return;
  }
  at("fewer").disabled = seats.length <= fewest;
  at("more").disabled = seats.length >= most;
  at("tolls-label").hidden = !map.tolls;
  at("neutral-label").hidden = !map.neutral_player.includes(seats.length);
}

at("fewer").onclick = () => seat(chooser.seats().slice(0, -1));
at("more").onclick = () => seat([...chooser.seats(), { agent: "planner", name: "" }]);

at("deal").onsubmit = (event) => {
  event.preventDefault();
  const map = chosen();
  const seats = chooser.seats();
  const options = {};
  if (map.tolls && !at("tolls").checked) options.tolls = false;
  if (at("neutral").checked && !at("neutral-label").hidden) options.neutral_player = true;
  const typed = at("seed").value.trim();
  const name = seats.find((each) => each.agent === null)?.name;
  if (name) localStorage.setItem("name", name);
  if (typed !== "" && !Number.isSafeInteger(Number(typed))) complain(new Error("A seed is a whole number, or nothing for any."));
  else enter("/api/tables", { map: map.name, options, seed: typed === "" ? null : Number(typed), seats });
};

at("file").onchange = async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  try {
    const text = await file.text();
    const record = parsed(text) ?? parsed(text.trim().split("\n")[0]); // the first of several, one to a line
    if (record === undefined) throw new Error(`${file.name} is no record: it is not JSON.`);
    await enter("/api/open", { record });
  } catch (error) {
    complain(error);
  }
};

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

at("follow").onsubmit = (event) => {
  event.preventDefault();
  follow(at("link").value);
};

/* Open the game that a link holds in what follows its #. */
async function follow(link) {
  const parts = new URLSearchParams(link.slice(link.indexOf("#") + 1));
  const code = parts.get("r");
  history.replaceState(null, "", "/");
  if (code === null) complain(new Error("This link holds no game; copy the whole of it, with what follows the #."));
  else await enter("/api/open", { code }, parts.get("at"));
}

async function enter(address, form, decision = null) {
  complain(null);
  at("start").disabled = true;
  const slow = setTimeout(() => complain(new Error("Getting the engine ready; the first time ever takes a minute.")), 1500);
  try {
    const found = await (await post(address, form)).json();
    location.assign((found.seats[0]?.link ?? found.watch) + (decision === null ? "" : `&at=${decision}`));
  } catch (error) {
    clearTimeout(slow);
    complain(error);
  } finally {
    clearTimeout(slow);
    at("start").disabled = offers === null;
  }
}

function complain(error) {
  const box = at("banner");
  box.hidden = error === null;
  box.textContent = error?.message ?? "";
  if (error) box.scrollIntoView({ block: "nearest" });
}

/* A link to a game, pasted where the lobby is open already, changes only what follows the #. */
window.addEventListener("hashchange", () => holdsGame() && follow(location.hash));

begin().catch(() => complain(new Error("The server cannot be reached. Is ttr serve still running?")));
