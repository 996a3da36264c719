// Points stand beside each other while their words fit; else they share several lines.
import { stage } from "./room.js";

export function startFit() {
  new ResizeObserver(fitPoints).observe(stage);
}

export function fitPoints() {
  const scales = [...stage.querySelectorAll(".points")];
  for (const points of scales) delete points.dataset.wraps;
  // Measured together, then marked: each change between two measures would lay out anew.
  for (const points of scales.filter(isCramped)) points.dataset.wraps = "";
}

function isCramped(points) {
  return [...points.querySelectorAll(".point-label:not(.visually-hidden)")].some(
    (label) => label.offsetWidth > label.parentElement.clientWidth,
  );
}
