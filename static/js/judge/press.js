// What would move under a finger or a mouse waits until the press is over: a press that ends on
// another place than it began on is no click, and the answer would be lost.
let isPressed = false;
let waiting = null;

export function startPress() {
  window.addEventListener("mousedown", () => { isPressed = true; }, true);
  window.addEventListener("mouseup", () => setTimeout(release), true); // the click comes first
  window.addEventListener("keydown", release, true);
}

// Does an act at once, or when the press that goes on now is over; of several, the last.
export function afterPress(act) {
  if (isPressed) waiting = act;
  else act();
}

function release() {
  isPressed = false;
  const act = waiting;
  waiting = null;
  act?.();
}
