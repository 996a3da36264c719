// Giving an answer by key, press or field, and taking the last ones back.
import {
  answerOf, current, focusQuestion, handleOf, inWords, isBlank, isSame, lastAnswer, missingIn,
  nameOf, nextBlank, openRow, remember, showAnswer, showProgress,
} from "./answers.js";
import { actedOn } from "./clock.js";
import { isTurning, move, next, stay } from "./leaving.js";
import { announce } from "./notices.js";
import { goTo, keyOf, questionAnywhere, shownPage } from "./pages.js";
import { sendAnswer } from "./queue.js";
import { say, stage } from "./room.js";
import { isAutoNext } from "./settings.js";

const STEPS = 20;
const steps = []; // the last answers, each as {name, before}

export function rate(digit) {
  if (isTurning()) return;
  const question = current(shownPage());
  const reason = question.querySelector("[data-reason]");
  if (digit === "0" && reason) return reason.focus();
  const row = question.querySelector("[data-row]:focus-within") ?? question;
  const radio = row.querySelector(`input[data-key="${digit}"]`);
  if (radio) choose(question, radio);
  else question.querySelector("input[type=number]")?.focus();
}

// On a fact the first letter of a label chooses it too: P for Present, A for Absent. Of a pair
// the better one is chosen by its letter.
export function byLetter(letter) {
  const question = current(shownPage());
  if (isTurning()) return null;
  const lettered = [...question.querySelectorAll("input[data-letter]")];
  const radios = question.dataset.fact
    ? [...question.querySelectorAll("input[type=radio]")].filter((radio) => beginsWith(radio, letter))
    : lettered.filter((radio) => radio.dataset.letter === letter);
  return radios.length === 1 ? () => choose(question, radios[0]) : null;
}

function beginsWith(radio, letter) {
  const label = radio.closest(".point").querySelector(".point-label");
  return label.textContent.toLowerCase().startsWith(letter);
}

function choose(question, radio) {
  radio.checked = true;
  keepOneOf(question, radio);
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

// The button says whether there is anything to take back.
export function showUndo() {
  for (const button of stage.querySelectorAll("[data-undo]")) button.disabled = !steps.length;
}

export async function undo() {
  const step = steps.pop();
  const place = step && questionAnywhere(step.name);
  stay();
  if (!place) {
    showUndo();
    return announce(say("nothing_to_undo"));
  }
  if (place.key !== keyOf(shownPage())) await move(() => goTo(place.key));
  showAnswer(place.question, step.before);
  store(place.question, "undo");
  focusQuestion(place.question);
  showUndo();
  announce(say("undone", { message: inWords(place.question) }));
}

function record(question, source) {
  const before = lastAnswer(question);
  if (isSame(before, answerOf(question))) return;
  steps.push({ name: nameOf(question), before });
  if (steps.length > STEPS) steps.shift();
  showUndo();
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

// A point and the reason for having none exclude each other, and so do best and worst.
function keepOneOf(question, target) {
  for (const radio of question.querySelectorAll("[data-row] :checked")) {
    if (radio !== target && radio.value === target.value) radio.checked = false;
  }
  const reason = question.querySelector("[data-reason]");
  if (!reason || target.matches("textarea")) return;
  if (target !== reason) reason.value = "";
  else for (const radio of question.querySelectorAll("[type=radio]")) radio.checked = false;
}

// To the next question without an answer; from the last one on to the next page, if so wished.
function moveOn(question) {
  const row = isBlank(question) && openRow(question);
  if (row) return row.querySelector("input").focus();
  const blank = nextBlank(shownPage(), question);
  if (blank) focusQuestion(blank);
  else if (isAutoNext()) next();
  else focusQuestion(question);
}
