// How far the judge is, and how many minutes are left by the median of the outputs so far.
import { room, say } from "./room.js";

const MIN_OUTPUTS = 3; // fewer say nothing about the rest
const bar = room.querySelector("[data-progress]");
const line = room.querySelector("[data-time-left]");
const active = [];
let done = Number(room.dataset.done);

// visits: times of the outputs just left; last: the position of the last one handed in, or 0
export function showPace(visits, last) {
  const total = Number(room.dataset.total);
  active.push(...visits.map((visit) => visit.active_ms));
  done = Math.min(Math.max(done, last), total);
  bar.value = done;
  bar.setAttribute("aria-label", say("progress", { done, total }));
  if (active.length < MIN_OUTPUTS) return;
  const sorted = active.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)];
  const minutes = Math.ceil(((total - done) * median) / 60000);
  line.textContent = total > done ? say("minutes_left", { n: minutes }) : "";
}
