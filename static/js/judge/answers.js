// The questions of a page: what is answered, what is blank, which is the current one.
import { say } from "./room.js";

const shown = new Map(); // question > the answer last seen in it, as {value}, {text}, ... or null

export const questionsIn = (root) => [...root.querySelectorAll("[data-question]")];
export const nameOf = (question) => question.dataset.question;
export const handleOf = (question) => question.closest("[data-output]").dataset.output;
export const findQuestion = (root, name) =>
  questionsIn(root).find((question) => nameOf(question) === name);

export function answerOf(question) {
  const reason = question.querySelector("[data-reason]")?.value;
  if (reason) return { missing_reason: reason };
  const text = question.querySelector("textarea");
  if (text) return text.value.trim() ? { text: text.value } : null;
  if (isChoice(question)) return choiceOf(question);
  const field = question.querySelector("input[type=radio]:checked, input[type=number]");
  return field && field.value !== "" ? { value: Number(field.value) } : null;
}

// A comparison has a radio in each of its rows, and its answer is a text such as "A>B".
export const isChoice = (question) => "choice" in question.dataset;
const rowsOf = (question) => [...question.querySelectorAll("[data-row]")];
export const openRow = (question) => rowsOf(question).find((row) => !row.querySelector(":checked"));

function choiceOf(question) {
  if (openRow(question)) return null;
  const chosen = [...question.querySelectorAll("[data-row] :checked")];
  return { text: chosen.map((radio) => radio.value).join(">") };
}

function showChoice(question, code) {
  const rows = rowsOf(question);
  const parts = rows.length > 1 ? code.split(">") : [code];
  for (const [n, row] of rows.entries()) {
    for (const radio of row.querySelectorAll("input")) radio.checked = radio.value === parts[n];
  }
}

export function lastAnswer(question) {
  return shown.get(nameOf(question)) ?? null;
}

export function remember(question) {
  shown.set(nameOf(question), answerOf(question));
}

export function showAnswer(question, answer) {
  const value = answer?.value ?? null;
  if (isChoice(question)) showChoice(question, answer?.text ?? "");
  else showValue(question, value);
  const text = question.querySelector("textarea");
  if (text) text.value = answer?.text ?? "";
  const reason = question.querySelector("[data-reason]");
  if (reason) showReason(reason, answer?.missing_reason ?? "");
  remember(question);
}

function showValue(question, value) {
  for (const radio of question.querySelectorAll("input[type=radio]")) {
    radio.checked = value !== null && Number(radio.value) === value;
  }
  for (const field of question.querySelectorAll("input[type=number], input[type=range]")) {
    field.value = value ?? "";
  }
}

function showReason(select, reason) {
  if (![...select.options].some((option) => option.value === reason)) {
    select.add(new Option(reason, reason));
  }
  select.value = reason;
}

export const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
export const isBlank = (question) => answerOf(question) === null;
export const isMissing = (question) => "required" in question.dataset && isBlank(question);
export const missingIn = (root) => questionsIn(root).filter(isMissing);

// Returns what a screen reader is told: "Fluency: 3 Good".
export function inWords(question) {
  const { name } = question.dataset;
  const answer = answerOf(question);
  if (!answer) return say("cleared", { name });
  const points = question.querySelectorAll(".point:has(:checked) :is(.point-value, .point-label)");
  const words = [...points].map((part) => part.textContent).join(" ");
  return say("answered", { name, answer: words || Object.values(answer)[0] });
}

export const current = (root) =>
  root.querySelector("[data-question][aria-current]") ?? questionsIn(root)[0];

export function setCurrent(question) {
  const root = question.closest("main");
  if (question.hasAttribute("aria-current")) return;
  for (const old of root.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
  question.setAttribute("aria-current", "true");
  const card = question.closest(".batch-card");
  card?.setAttribute("aria-current", "true");
  if (card) root.querySelector(`[data-strip="${handleOf(question)}"]`)?.setAttribute("aria-current", "true");
  question.dispatchEvent(new CustomEvent("question:current", { bubbles: true }));
}

export function focusQuestion(question) {
  setCurrent(question);
  const field =
    question.querySelector("input:checked") ?? question.querySelector("input, textarea");
  field.focus({ preventScroll: true });
  const output = question.closest("[data-output]");
  // A new output comes into view with its text, not only with its first question.
  if (questionsIn(output)[0] === question) output.scrollIntoView({ block: "nearest" });
  question.scrollIntoView({ block: "nearest" });
}

// Returns the next question without an answer after this one, going round; undefined where none is.
export function nextBlank(root, question) {
  const all = questionsIn(root).filter((one) => one.dataset.kind !== "comment" || isMissing(one));
  const place = all.indexOf(question);
  return [...all.slice(place + 1), ...all.slice(0, place + 1)].find(isBlank);
}

// Says at each question without an answer that it lacks one; the mark goes with the answer.
export function markMissing(questions) {
  for (const question of questions) nameLine(question).dataset.missing = say("blank");
}

const nameLine = (question) => question.querySelector("legend, label");

// Brings counts, marks of finished rows and the strip up to date.
export function showProgress(root) {
  for (const question of questionsIn(root)) {
    const answer = answerOf(question);
    question.toggleAttribute("data-done", answer !== null);
    if (answer !== null) delete nameLine(question).dataset.missing;
    question.toggleAttribute("data-is-missing", Boolean(answer?.missing_reason));
  }
  for (const counter of root.querySelectorAll("[data-answered]")) {
    const all = questionsIn(counter.closest("[data-output]") ?? root);
    counter.textContent = counter.dataset.answered
      .replace("{n}", all.filter((question) => !isBlank(question)).length)
      .replace("{total}", all.length);
  }
  for (const link of root.querySelectorAll("[data-strip]")) {
    const card = root.querySelector(`[data-output="${link.dataset.strip}"]`);
    link.toggleAttribute("data-done", missingIn(card).length === 0);
  }
}
