"use strict";

/* What everybody would score if the game ended in the position, in parts, and over time. */

const total = game.parts.length - 1;

/* The total, and the parts in which somebody ever has something. */
const parts = [total, ...game.parts.keys()].filter(
  (part, place) => (part === total ? place === 0 : game.scores.some((seats) => seats.some((row) => row[part]))),
);

/* What an agent thinks the game is worth to each player, from decision to decision. */
function valuesOver(agent) {
  return game.seats.map((_, seat) => {
    let known = null;
    return game.frames.map((_, position) => {
      const value = game.moves[position]?.[0] === seat ? game.opinions[position]?.[agent].value : null;
      return (known = value ?? known);
    });
  });
}

const charts = [
  ...parts.map((part) => ({
    name: game.parts[part],
    part,
    series: () => game.seats.map((_, seat) => game.scores.map((seats) => seats[seat][part])),
  })),
  ...game.agents.map((agent, index) => ({ name: `value by ${agent}`, series: () => valuesOver(index) })),
].filter(({ series }) => series().some((values) => values.filter((value) => value !== null).length > 1));

const chart = new Chart(byId("chart"), game.seats, last, step);

function chosenChart() {
  return charts[Number(byId("shown").value)];
}

function offerCharts() {
  byId("shown").append(...charts.map(({ name }, index) => new Option(name, index)));
  byId("shown").addEventListener("change", showChart);
  byId("shown").disabled = charts.length === 0;
  showChart();
}

function showChart() {
  chart.draw(chosenChart()?.series() ?? []);
  showScores(shown);
}

function showScores(position) {
  const chosen = chosenChart()?.part;
  const head = make("tr");
  head.append(make("th", "", "player"), ...parts.map((part) => make("th", part === chosen ? "chosen" : "", game.parts[part])));
  const rows = game.seats.map(({ name }, seat) => {
    const row = make("tr");
    const who = make("th");
    who.scope = "row";
    who.append(seatBadge(seat), make("span", "", name));
    row.append(who, ...parts.map((part) => scoreCell(game.scores[position][seat][part], part === chosen)));
    return row;
  });
  const [thead, tbody] = [make("thead"), make("tbody")];
  thead.append(head);
  tbody.append(...rows);
  byId("sheet").replaceChildren(thead, tbody);
  for (const cell of head.children) cell.scope = "col";
}

function scoreCell(points, chosen) {
  const cell = make("td", chosen ? "chosen" : "", points === null ? "?" : String(points).replace("-", "−"));
  if (points === null) cell.title = "hidden from this seat";
  return cell;
}
