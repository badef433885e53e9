/* Moving what is larger than its frame with the mouse; with fingers, browsers do that by themselves. */

const THRESHOLD = 6; // pixels; less is a click

export function panWithMouse(frame) {
  let grabbed = null; // where the mouse took hold, and how far the frame was scrolled then
  let hasMoved = false;
  const isEnlarged = () => frame.scrollWidth > frame.clientWidth || frame.scrollHeight > frame.clientHeight;

  frame.addEventListener("pointerdown", (event) => {
    hasMoved = false;
    const grabs = event.pointerType === "mouse" && event.button === 0 && event.target !== frame && isEnlarged();
    grabbed = grabs ? { x: event.clientX, y: event.clientY, left: frame.scrollLeft, top: frame.scrollTop } : null;
  });
  frame.addEventListener("pointermove", (event) => {
    if (grabbed === null) return;
    const [right, down] = [event.clientX - grabbed.x, event.clientY - grabbed.y];
    if (!hasMoved && Math.hypot(right, down) < THRESHOLD) return;
    if (!hasMoved) frame.setPointerCapture(event.pointerId);
    hasMoved = true;
    frame.classList.add("dragged");
    frame.scrollTo(grabbed.left - right, grabbed.top - down);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    frame.addEventListener(end, () => {
      grabbed = null;
      frame.classList.remove("dragged");
    });
  }
  const swallow = (event) => {
    if (hasMoved) event.stopImmediatePropagation();
    hasMoved = false;
  };
  frame.addEventListener("click", swallow, { capture: true }); // before anything else hears of it
}
