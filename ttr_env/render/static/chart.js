"use strict";

/* Lines over time, one for each seat, with the number of the seat at their ends and a dash of its own: a reader who
   cannot tell the colours apart can still follow each line. */
class Chart {
  static #DASHES = ["", "10 4", "3 3", "14 3 3 3", "6 2 2 2"];
  static #SVG = "http://www.w3.org/2000/svg";
  static #EDGE = { left: 40, right: 26, top: 10, bottom: 22 };

  #svg;
  #seats;
  #last; // the number of the last position
  #here;
  #size = { width: 600, height: 180 };
  #series = [];
  #position = 0;

  constructor(svg, seats, last, go) {
    this.#svg = svg;
    this.#seats = seats;
    this.#last = last;
    const pick = (event) => go(this.#at(event.clientX));
    svg.addEventListener("pointerdown", pick);
    svg.addEventListener("pointermove", (event) => event.buttons && pick(event));
    new ResizeObserver(() => this.#draw()).observe(svg);
  }

  /* Draw other lines: for each seat a list of values, one for each position, null where there is none. */
  draw(series) {
    this.#series = series;
    this.#draw();
  }

  /* Mark the position that is shown. */
  mark(position) {
    this.#position = position;
    const x = this.#x(position);
    this.#here?.setAttribute("x1", x);
    this.#here?.setAttribute("x2", x);
  }

  #draw() {
    const { width, height } = this.#svg.getBoundingClientRect();
    this.#size = { width: Math.max(width, 120), height: Math.max(height, 60) };
    this.#svg.setAttribute("viewBox", `0 0 ${this.#size.width} ${this.#size.height}`);
    const values = this.#series.flat().filter((value) => value !== null);
    const ticks = Chart.#ticks(Math.min(0, ...values), Math.max(0, ...values));
    const y = this.#scale(ticks[0], ticks.at(-1));
    this.#svg.replaceChildren(...this.#grid(ticks, y), ...this.#lines(y));
    this.#here = this.#add("line", { class: "here", y1: Chart.#EDGE.top, y2: this.#bottom });
    this.#svg.append(this.#here);
    this.mark(this.#position);
  }

  get #bottom() {
    return this.#size.height - Chart.#EDGE.bottom;
  }

  #x(position) {
    const { left, right } = Chart.#EDGE;
    return left + ((this.#size.width - left - right) * position) / Math.max(1, this.#last);
  }

  #at(clientX) {
    const box = this.#svg.getBoundingClientRect();
    const { left, right } = Chart.#EDGE;
    const share = (clientX - box.left - left) / (box.width - left - right);
    return Math.round(Math.min(1, Math.max(0, share)) * this.#last);
  }

  #scale(low, high) {
    return (value) => this.#bottom - ((this.#bottom - Chart.#EDGE.top) * (value - low)) / (high - low);
  }

  /* Round numbers from below `low` to above `high`. */
  static #ticks(low, high) {
    const rough = Math.max(high - low, 0.001) / 4;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
    const first = Math.floor(low / step);
    const count = Math.max(1, Math.ceil(high / step) - first);
    return Array.from({ length: count + 1 }, (_, index) => Number(((first + index) * step).toPrecision(6)));
  }

  #grid(ticks, y) {
    const right = this.#size.width - Chart.#EDGE.right;
    const lines = ticks.flatMap((tick) => [
      this.#add("line", { class: "grid", x1: Chart.#EDGE.left, x2: right, y1: y(tick), y2: y(tick) }),
      this.#add("text", { x: Chart.#EDGE.left - 7, y: y(tick) + 4, "text-anchor": "end" }, String(tick).replace("-", "−")),
    ]);
    const foot = { y: this.#size.height - 6 };
    lines.push(this.#add("text", { ...foot, x: Chart.#EDGE.left }, "0"));
    lines.push(this.#add("text", { ...foot, x: right, "text-anchor": "end" }, `${this.#last} decisions`));
    return lines;
  }

  #lines(y) {
    const labels = this.#labels(y);
    return this.#series.flatMap((values, seat) => {
      const path = this.#path(values, y);
      if (path === "") return [];
      const line = { d: path, class: "line", stroke: this.#seats[seat].fill, "stroke-dasharray": Chart.#DASHES[seat] };
      const label = { x: this.#size.width - Chart.#EDGE.right + 7, y: labels[seat] + 4, "font-weight": "bold" };
      return [this.#add("path", { d: path, class: "casing" }), this.#add("path", line), this.#add("text", label, `${seat}`)];
    });
  }

  /* Steps, as a score changes at once; where nothing is known, there is no line. */
  #path(values, y) {
    let path = "";
    let before = null;
    values.forEach((value, position) => {
      if (value === null) before = null;
      else if (before === null) path += `M${this.#x(position).toFixed(1)} ${y(value).toFixed(1)}`;
      else if (value !== before || position === this.#last) path += `H${this.#x(position).toFixed(1)}V${y(value).toFixed(1)}`;
      if (value !== null) before = value;
    });
    return path;
  }

  /* The height of each line's label, apart from each other. */
  #labels(y) {
    const heights = this.#series.map((values) => {
      const last = values.findLast((value) => value !== null);
      return last === undefined ? null : y(last);
    });
    const order = heights.map((_, seat) => seat).filter((seat) => heights[seat] !== null);
    order.sort((one, other) => heights[one] - heights[other]);
    order.forEach((seat, place) => {
      if (place > 0) heights[seat] = Math.max(heights[seat], heights[order[place - 1]] + 12);
    });
    return heights;
  }

  #add(kind, attributes, text = "") {
    const element = document.createElementNS(Chart.#SVG, kind);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    return element;
  }
}
