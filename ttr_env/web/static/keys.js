/* Keys for what is done most, wherever the focus is. */

const PUSHING = ["ArrowLeft", "ArrowRight", "Home", "End"];

/* Whether a key is for what has the focus. */
function isTaken({ key, target }) {
  if (target.closest("dialog, select, textarea, input:not([type=range], [type=checkbox])")) return true;
  if (key === " ") return target.closest("button, a, summary, input[type=checkbox]") !== null;
  return PUSHING.includes(key) && target.closest("input[type=range], .enlarged") !== null;
}

/* keys: what each does, by its name; isReady(): whether there is anything to do it to. */
export function listenForKeys(keys, isReady) {
  document.addEventListener("keydown", (event) => {
    if (!isReady() || event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys) || isTaken(event)) return;
    event.preventDefault();
    keys[event.key]();
  });
}
