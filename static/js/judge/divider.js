// The line between source and output: dragged, or moved by arrow keys; its place is remembered.
import { room, stage } from "./room.js";
import { keep } from "./settings.js";

const [LOWEST, HIGHEST, STEP] = [30, 60, 2];
let share = Number(room.dataset.divider);
let saving;

export function startDivider() {
  place();
  stage.addEventListener("keydown", ({ target, key }) => {
    if (!target.matches("[data-divide]")) return;
    const way = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (way) moveTo(share + way * STEP * direction());
    if (key === "Home") moveTo(LOWEST);
    if (key === "End") moveTo(HIGHEST);
  });
  stage.addEventListener("pointerdown", (event) => {
    if (!event.target.matches("[data-divide]")) return;
    event.target.setPointerCapture(event.pointerId);
    event.target.addEventListener("pointermove", drag);
    event.target.addEventListener("pointerup", drop, { once: true });
  });
}

// Gives a page that was just put on the stage the place of the line.
export function place() {
  stage.style.setProperty("--split", share);
  stage.querySelector("[data-divide]")?.setAttribute("aria-valuenow", share);
}

const direction = () => (document.dir === "rtl" ? -1 : 1);

function drag({ clientX }) {
  const { left, width } = stage.querySelector(".bench").getBoundingClientRect();
  const part = ((clientX - left) / width) * 100;
  moveTo(direction() === 1 ? part : 100 - part);
}

function drop({ target }) {
  target.removeEventListener("pointermove", drag);
}

function moveTo(wanted) {
  share = Math.round(Math.min(Math.max(wanted, LOWEST), HIGHEST));
  place();
  clearTimeout(saving);
  saving = setTimeout(() => keep({ divider: share }), 800);
}
