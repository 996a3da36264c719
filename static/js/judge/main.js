// The judge's page: joins keys, answers, queue, pages and clock. The form works without all this.
import {
  current, focusQuestion, handleOf, missingIn, questionsIn, setCurrent,
} from "./answers.js";
import { startClock, turnTo } from "./clock.js";
import { place, startDivider } from "./divider.js";
import { showHandles, startFields } from "./fields.js";
import { focusFind, moveMatch, showFind, startFind } from "./find.js";
import { fitPoints, startFit } from "./fit.js";
import { startKeys } from "./keys.js";
import { move, next, stay } from "./leaving.js";
import { announce } from "./notices.js";
import { outcomes } from "./outcomes.js";
import { applyPending, fetchAhead, goBack, shownPage, startPages } from "./pages.js";
import { startQueue } from "./queue.js";
import { afterPress, startPress } from "./press.js";
import { byLetter, rate, showUndo, takeChange, undo } from "./rating.js";
import { room, say, stage } from "./room.js";
import { openDialog, startSettings } from "./settings.js";
import { isElsewhere, startTabs } from "./tabs.js";

let pointer = null; // how the last press came: mouse, touch or pen; null after a key

function wireStage() {
  window.addEventListener("pointerdown", (event) => { pointer = event.pointerType; }, true);
  window.addEventListener("keydown", () => { pointer = null; }, true);
  startPress();
  stage.addEventListener("change", (event) => takeChange(event, pointer));
  stage.addEventListener("focusin", ({ target }) => {
    const question = target.closest("[data-question]");
    if (question) afterPress(() => shownPage().contains(question) && setCurrent(question));
  });
  stage.addEventListener("question:current", ({ target }) => turnTo(handleOf(target)));
  stage.addEventListener("submit", (event) => {
    event.preventDefault();
    next();
  });
  stage.addEventListener("click", (event) => {
    if (event.target.closest("[data-undo]")) undo();
    const link = event.target.closest("[data-strip]");
    if (link) {
      event.preventDefault();
      focusOutput(link.dataset.strip);
    }
    if (!event.target.closest("[data-back]")) return;
    event.preventDefault();
    move(goBack);
  });
}

// To the first blank of an output of the page, or to its first question.
function focusOutput(handle) {
  const output = shownPage().querySelector(`[data-output="${handle}"]`);
  focusQuestion(missingIn(output)[0] ?? questionsIn(output)[0]);
}

function comment() {
  const questions = [...shownPage().querySelectorAll("[data-kind=comment]")];
  const output = handleOf(current(shownPage()));
  (questions.find((one) => handleOf(one) === output) ?? questions[0])
    ?.querySelector("textarea").focus();
}

const unlessElsewhere = (act) => (...given) => isElsewhere() || act(...given);

function wireKeys() {
  startKeys({
    rate: unlessElsewhere(rate),
    next: unlessElsewhere(next),
    previous: unlessElsewhere(() => move(goBack)),
    undo: unlessElsewhere(undo),
    comment: unlessElsewhere(comment),
    find: unlessElsewhere(focusFind),
    match: moveMatch,
    byLetter: (letter) => (isElsewhere() ? null : byLetter(letter)),
    instructions: () => room.querySelector("[data-instructions]").click(),
    help: () => openDialog("keys-dialog"),
  });
}

function wireClock() {
  const sign = room.querySelector("[data-paused]");
  startClock({
    paused() {
      sign.hidden = false;
      announce(say("paused"));
    },
    resumed() {
      sign.hidden = true;
    },
  });
}

function prepare() {
  stay();
  showFind();
  showHandles();
  showUndo();
  fitPoints();
  place();
}

wireClock();
wireStage();
wireKeys();
startFields();
startFind();
startDivider();
startFit();
startSettings();
startTabs();
startPages(prepare);
startQueue(outcomes).then(applyPending);
fetchAhead().catch(() => {}); // asked for again with every output handed in
