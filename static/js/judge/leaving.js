// Leaving a page: only complete, its outputs handed in, the next one at once.
import { focusQuestion, markMissing, missingIn } from "./answers.js";
import { LinkEnded, Refused, Unreachable } from "./api.js";
import { takeTimes } from "./clock.js";
import { announce, notify, withdraw } from "./notices.js";
import { showPace } from "./pace.js";
import { goOn, shownPage } from "./pages.js";
import { sendDone, whenEmpty } from "./queue.js";
import { say } from "./room.js";

const RETRY_MS = 2000;
let turning = null; // the page that is being left
let retry; // the next attempt to leave it

// While the next output is on its way, a key must not change the one that was just finished.
export const isTurning = () => turning === shownPage();

export async function next() {
  const main = shownPage();
  if (turning === main) return;
  const missing = missingIn(main);
  if (missing.length) {
    announce(say("missing", { names: missing.map((one) => one.dataset.name).join(", ") }));
    markMissing(missing);
    focusQuestion(missing[0]);
    return;
  }
  finish(main);
  stay();
  turning = main;
  await attempt(() => goOn(whenEmpty));
}

// Calls off a leave that still waits for the connection: the judge does something else.
export function stay() {
  turning = null;
  clearTimeout(retry);
}

// Does an act that may need the server; where that is out of reach, does it when it is back.
export async function move(act) {
  stay();
  await attempt(act);
}

async function attempt(act) {
  try {
    await act();
    withdraw(say("no_next"));
  } catch (problem) {
    if (problem instanceof Unreachable) {
      notify("warn", say("no_next"));
      retry = setTimeout(() => attempt(act), RETRY_MS);
      return;
    }
    stay();
    if (problem instanceof LinkEnded) notify("bad", say("link_ended"));
    else if (problem instanceof Refused) notify("bad", problem.message);
    else throw problem;
  }
}

function finish(main) {
  const { phase, pass, last } = main.dataset;
  const isHandedIn = main.dataset.isLastPart === "true";
  const outputs = [...main.querySelectorAll("[data-output]")].map((one) => one.dataset.output);
  const visits = outputs.map((handle) => ({
    phase,
    pass_number: Number(pass),
    ...takeTimes(handle),
  }));
  for (const [n, handle] of outputs.entries()) sendDone(handle, visits[n], isHandedIn);
  showPace(visits, isHandedIn ? Number(last) : 0);
}
