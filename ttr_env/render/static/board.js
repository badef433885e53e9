"use strict";

/* A picture of the board that is put together from numbered pieces, as ttr_env/render/pieces.py makes them.

   A piece with a key ("track-12") keeps its element from one picture to the next, and with it focus, listeners and
   classes; only what it shows is exchanged. Everything happens in one go, so nothing flickers. */
class Board {
  #svg;
  #pieces = []; // [key, markup] by number
  #elements = new Map(); // by key, or by number where a piece has no key
  #shown = new Map(); // element: the number of the piece that it shows

  constructor(svg) {
    this.#svg = svg;
  }

  /* Take in more pieces; their numbers follow those that are known already. */
  learn(pieces) {
    this.#pieces.push(...pieces);
  }

  get known() {
    return this.#pieces.length;
  }

  /* Show the picture of the pieces with these numbers, from back to front. */
  show(numbers) {
    let next = this.#svg.firstElementChild;
    for (const number of numbers) {
      const element = this.#element(number);
      if (next !== null && next !== element && next.nextElementSibling === element) {
        // Take away the one that is not wanted here instead of moving all that follow; it comes back where it belongs.
        next.remove();
        next = element;
      }
      if (element === next) next = next.nextElementSibling;
      else this.#svg.insertBefore(element, next);
    }
    while (next !== null) {
      const unwanted = next;
      next = next.nextElementSibling;
      unwanted.remove();
    }
  }

  /* The element with a key, such as "city-3", if the picture has one. */
  at(key) {
    const element = this.#elements.get(key);
    return element?.isConnected ? element : null;
  }

  #element(number) {
    const name = this.#pieces[number][0] || number;
    const known = this.#elements.get(name);
    if (known !== undefined && this.#shown.get(known) === number) return known;
    const drawn = this.#drawn(this.#pieces[number][1]);
    if (known === undefined) this.#elements.set(name, drawn);
    else Board.#exchange(known, drawn);
    const element = known ?? drawn;
    this.#shown.set(element, number);
    return element;
  }

  #drawn(markup) {
    // The parser makes SVG elements only inside of an <svg>.
    const shell = document.createElement("template");
    shell.innerHTML = `<svg xmlns="http://www.w3.org/2000/svg">${markup}</svg>`;
    return shell.content.firstElementChild.firstElementChild;
  }

  static #exchange(element, drawn) {
    Object.assign(element.dataset, drawn.dataset);
    element.replaceChildren(...drawn.childNodes);
  }
}
