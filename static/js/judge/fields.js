// Range scales: number field, slider and buttons are three ways to one number. Comments save as typed.
import { stage } from "./room.js";

const TYPING_PAUSE_MS = 1000;
let typing;

export function startFields() {
  stage.addEventListener("input", ({ target }) => {
    if (target.matches("[data-slide]")) fieldOf(target).value = target.value;
    if (target.matches("textarea")) {
      clearTimeout(typing);
      typing = setTimeout(() => change(target), TYPING_PAUSE_MS);
    }
  });
  stage.addEventListener("change", ({ target }) => {
    if (target.matches("[data-slide]")) change(fieldOf(target));
    else if (target.matches("[type=number]")) slideOf(target).value = target.value;
  });
  stage.addEventListener("click", ({ target }) => {
    if (target.matches("[data-slide]")) takeMiddle(target);
    const button = target.closest("[data-step]");
    if (!button) return;
    const field = fieldOf(button);
    if (button.dataset.step === "1") field.stepUp();
    else field.stepDown();
    change(field);
  });
  stage.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target.matches("textarea, [type=number], select")) {
      event.target.blur();
    }
  });
}

// A slider without an answer waits in its middle: a press just there changes nothing by itself.
function takeMiddle(slide) {
  const field = fieldOf(slide);
  if (field.value !== "") return;
  field.value = slide.value;
  change(field);
}

// Shows what only works with a script.
export function showHandles() {
  for (const handle of stage.querySelectorAll("[data-step], [data-slide], [data-undo]")) {
    handle.hidden = false;
  }
}

const fieldOf = (part) => part.closest(".range").querySelector("[type=number]");
const slideOf = (field) => field.closest(".range").querySelector("[data-slide]");
const change = (field) => field.dispatchEvent(new Event("change", { bubbles: true }));
