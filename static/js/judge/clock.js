// How long a judge stays on each output: by the wall, with the tab in view, and in activity.
const IDLE_MS = 60000; // a longer gap without any input was a break, not reading
const PAUSE_MS = 300000;
const WAKING = ["keydown", "pointerdown"];
const ACTS = [...WAKING, "pointermove", "wheel", "scroll", "touchmove", "input"];

const times = new Map(); // output > its times since they were last taken
let handlers = { paused() {}, resumed() {} };
let output = null;
let since = 0; // up to here everything is booked
let lastAct = 0;
let isPaused = false;

export function startClock(given) {
  handlers = given;
  since = lastAct = performance.now();
  // Captured first of all, so that the key that wakes the page is stopped before it could rate.
  for (const act of ACTS) {
    window.addEventListener(act, onAct, { capture: true, passive: !WAKING.includes(act) });
  }
  document.addEventListener("visibilitychange", onVisibility);
  document.addEventListener("paste", () => {
    if (output) timesOf(output).n_pastes += 1;
  });
  setInterval(pauseWhenIdle, 5000);
}

export function turnTo(handle) {
  if (handle === output) return;
  book({ isAct: true });
  output = handle;
  timesOf(handle);
}

// Returns the active time on an output so far; an answer was just given there.
export function actedOn(handle) {
  book({ isAct: true });
  const entry = timesOf(handle);
  entry.first_action_ms ??= Math.round(entry.wall_ms);
  return Math.round(entry.active_ms);
}

// Returns the times of an output since they were last taken, in whole milliseconds.
export function takeTimes(handle) {
  book({ isAct: true });
  const taken = timesOf(handle);
  times.delete(handle);
  for (const name of ["wall_ms", "visible_ms", "active_ms"]) taken[name] = Math.round(taken[name]);
  return taken;
}

function timesOf(handle) {
  if (!times.has(handle)) {
    times.set(handle, {
      opened_at: new Date().toISOString(),
      wall_ms: 0,
      visible_ms: 0,
      active_ms: 0,
      first_action_ms: null,
      n_hidden: 0,
      n_pastes: 0,
    });
  }
  return times.get(handle);
}

function book({ isAct, wasVisible = document.visibilityState === "visible" }) {
  const now = performance.now();
  if (output) {
    const entry = timesOf(output);
    entry.wall_ms += now - since;
    if (wasVisible) entry.visible_ms += now - since;
    const wasActive = isAct && wasVisible && !isPaused && now - lastAct <= IDLE_MS;
    if (wasActive) entry.active_ms += now - lastAct;
  }
  since = now;
  if (isAct) lastAct = now;
}

function onAct(event) {
  if (!isPaused) {
    book({ isAct: true });
  } else if (WAKING.includes(event.type)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    resume();
  }
}

function onVisibility() {
  const isLeaving = document.visibilityState === "hidden";
  book({ isAct: true, wasVisible: isLeaving });
  if (isLeaving && output) timesOf(output).n_hidden += 1;
}

function pauseWhenIdle() {
  if (isPaused || document.visibilityState === "hidden") return;
  book({ isAct: false });
  if (performance.now() - lastAct < PAUSE_MS) return;
  isPaused = true;
  handlers.paused();
}

function resume() {
  book({ isAct: true });
  isPaused = false;
  handlers.resumed();
}
