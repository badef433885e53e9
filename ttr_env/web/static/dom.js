/* Elements from JavaScript, with as little ceremony as possible. Texts are always texts, never markup. */

export const at = (id) => document.getElementById(id);

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const drawn = new WeakMap(); // element: what it was last filled from

/* Fill an element from data, unless it shows the same data already; focus stays on what has the same data-id. */
export function fill(parent, data, children) {
  const text = JSON.stringify(data);
  if (drawn.get(parent) === text) return false;
  drawn.set(parent, text);
  const focused = parent.contains(document.activeElement) ? document.activeElement.dataset.id : undefined;
  parent.replaceChildren(...children().filter((child) => child !== null));
  if (focused !== undefined) parent.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  return true;
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/* Ask the server for something; a refusal becomes an error with the server's sentence. */
export async function post(address, form) {
  let response;
  try {
    response = await fetch(address, { method: "POST", body: JSON.stringify(form) });
  } catch {
    throw new Error("The server cannot be reached. Is ttr serve still running?");
  }
  if (response.ok) return response;
  const text = await response.text();
  let message = text;
  try {
    message = JSON.parse(text).error;
  } catch {
    // a sentence as it is
  }
  throw new Error(message || `The server answered ${response.status}.`);
}

export function save(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
