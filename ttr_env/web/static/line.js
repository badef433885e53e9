/* The line to the server: one WebSocket, which is opened again when it breaks. */

const WAITS = [300, 600, 1200, 2500, 5000]; // milliseconds before each new attempt
const REFUSED = 403;
const TOO_LONG = 1009; // for which the server may give a reason that is not for people

export class Line {
  #socket = null;
  #attempts = 0;

  /* hello: what is said first; heard(message); state(text, final): "" while all is well. */
  constructor(hello, heard, state) {
    this.hello = hello;
    this.heard = heard;
    this.state = state;
    this.#open();
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  say(message) {
    if (this.isOpen) this.#socket.send(JSON.stringify(message));
  }

  #open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.#socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(this.hello));
    socket.onmessage = (event) => {
      this.#attempts = 0;
      this.state("", false);
      this.heard(JSON.parse(event.data));
    };
    socket.onclose = (event) => this.#closed(event);
  }

  #closed(event) {
    if (event.code >= 4000 || event.code === 1008 || event.code === 1009) {
      this.state((event.code === TOO_LONG ? "This page sent a message that is too long. Reload it to go on." : event.reason) || "The server closed the line. Reload this page to go on.", true);
      return;
    }
    this.state("The server cannot be reached; trying again. Your game is kept as long as ttr serve runs.", false);
    const wait = WAITS[Math.min(this.#attempts++, WAITS.length - 1)];
    setTimeout(() => this.#tryAgain(), wait);
  }

  /* A socket does not say why it was refused, as by a server that was started anew and has another token. */
  async #tryAgain() {
    const refusal = await refused();
    if (refusal === "") this.#open();
    else this.state(refusal, true);
  }
}

/* Why the server refuses to answer, in its words; nothing if it does not, or cannot be reached. */
async function refused() {
  try {
    const response = await fetch("/api/lobby");
    return response.status === REFUSED ? await response.text() : "";
  } catch {
    return "";
  }
}
