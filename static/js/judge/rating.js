// Giving an answer by key, press or field, and taking the last ones back.
import {
  answerOf, current, focusQuestion, handleOf, inWords, isSame, lastAnswer, missingIn, nameOf,
  nextBlank, remember, showAnswer, showProgress,
} from "./answers.js";
import { actedOn } from "./clock.js";
import { isTurning, move, next, stay } from "./leaving.js";
import { announce } from "./notices.js";
import { goTo, keyOf, questionAnywhere, shownPage } from "./pages.js";
import { sendAnswer } from "./queue.js";
import { say } from "./room.js";
import { isAutoNext } from "./settings.js";

const STEPS = 20;
const steps = []; // the last answers, each as {name, before}

export function rate(digit) {
  if (isTurning()) return;
  const question = current(shownPage());
  const reason = question.querySelector("[data-reason]");
  if (digit === "0" && reason) return reason.focus();
  const radio = question.querySelector(`input[data-key="${digit}"]`);
  if (radio) choose(question, radio);
  else question.querySelector("input[type=number]")?.focus();
}

// On a fact the first letter of a label chooses it too: P for Present, A for Absent.
export function byLetter(letter) {
  const question = current(shownPage());
  if (isTurning() || !question.dataset.fact) return null;
  const points = [...question.querySelectorAll(".point")].filter((point) =>
    point.querySelector(".point-label").textContent.toLowerCase().startsWith(letter));
  return points.length === 1 ? () => choose(question, points[0].querySelector("input")) : null;
}

function choose(question, radio) {
  const reason = question.querySelector("[data-reason]");
  if (reason) reason.value = "";
  radio.checked = true;
  record(question, "key");
  moveOn(question);
}

// Takes a change of a native field. Only a real press may lead on: arrows pass through the points.
export function takeChange({ target }, pointer) {
  const question = target.closest("[data-question]");
  if (!question || target.matches("[data-slide]")) return;
  keepOneOf(question, target);
  record(question, { touch: "touch", pen: "touch", mouse: "click" }[pointer] ?? "key");
  const isPress = pointer !== null && target.matches("[type=radio]");
  if (isPress && isAutoNext() && !missingIn(shownPage()).length) next();
}

export async function undo() {
  const step = steps.pop();
  const place = step && questionAnywhere(step.name);
  stay();
  if (!place) return announce(say("nothing_to_undo"));
  if (place.key !== keyOf(shownPage())) await move(() => goTo(place.key));
  showAnswer(place.question, step.before);
  store(place.question, "undo");
  focusQuestion(place.question);
  announce(say("undone", { message: inWords(place.question) }));
}

function record(question, source) {
  const before = lastAnswer(question);
  if (isSame(before, answerOf(question))) return;
  steps.push({ name: nameOf(question), before });
  if (steps.length > STEPS) steps.shift();
  store(question, source);
  announce(inWords(question));
}

function store(question, source) {
  remember(question);
  showProgress(shownPage());
  sendAnswer(nameOf(question), answerOf(question), {
    source,
    client_at: new Date().toISOString(),
    active_ms: actedOn(handleOf(question)),
    is_auto_next: isAutoNext(),
  });
}

// A point and the reason for having none exclude each other.
function keepOneOf(question, target) {
  const reason = question.querySelector("[data-reason]");
  if (!reason || target.matches("textarea")) return;
  if (target !== reason) reason.value = "";
  else for (const radio of question.querySelectorAll("[type=radio]")) radio.checked = false;
}

// To the next question without an answer; from the last one on to the next page, if so wished.
function moveOn(question) {
  const blank = nextBlank(shownPage(), question);
  if (blank) focusQuestion(blank);
  else if (isAutoNext()) next();
  else focusQuestion(question);
}
