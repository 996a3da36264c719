// Find in the text, and mark the words of the current fact. Marks are underlined, not only coloured.
import { say, stage } from "./room.js";

const MIN_STEM = 4;
let marks = [];
let place = -1;

export function startFind() {
  stage.addEventListener("input", ({ target }) => {
    if (target.matches("#find")) findText(target.value);
  });
  stage.addEventListener("keydown", (event) => {
    if (!event.target.matches("#find")) return;
    if (event.key === "Enter") {
      event.preventDefault();
      moveMatch(event.shiftKey);
    }
    if (event.key === "Escape") {
      event.target.value = "";
      findText("");
    }
  });
  stage.addEventListener("question:current", ({ target }) => {
    if (target.dataset.fact) markFact(target);
  });
}

export function showFind() {
  const box = stage.querySelector("[data-find]");
  if (box) box.hidden = false;
  [marks, place] = [[], -1];
}

export function focusFind() {
  const field = stage.querySelector("#find");
  const sheet = field?.closest("[popover]");
  if (sheet && !sheet.checkVisibility()) sheet.showPopover();
  field?.focus();
}

export function moveMatch(isBack) {
  if (!marks.length) return;
  marks[place]?.removeAttribute("data-current");
  place = (place + (isBack ? -1 : 1) + marks.length) % marks.length;
  marks[place].setAttribute("data-current", "");
  marks[place].scrollIntoView({ block: "center" });
  showCount();
}

function findText(wanted) {
  const needle = wanted.trim().toLocaleLowerCase();
  mark((text) => (needle ? occurrences(text.toLocaleLowerCase(), needle) : []));
  if (needle) moveMatch(false);
  showCount(needle && !marks.length ? say("not_found") : undefined);
}

function markFact(question) {
  const wanted = new Set(wordsOf(question.dataset.fact).map(({ stem }) => stem).filter(Boolean));
  mark((text) =>
    wordsOf(text).filter(({ stem }) => wanted.has(stem)).map(({ start, end }) => [start, end]));
  const line = question.querySelector("[data-match]");
  line.hidden = false;
  line.textContent = say(marks.length ? "marked" : "not_marked", { n: marks.length });
}

function showCount(text) {
  const counter = stage.querySelector("[data-find-count]");
  const isFinding = stage.querySelector("#find")?.value.trim();
  if (counter) {
    counter.textContent =
      text ?? (isFinding ? say("found", { n: place + 1, total: marks.length }) : "");
  }
}

function occurrences(text, needle) {
  const found = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
    found.push([at, at + needle.length]);
  }
  return found;
}

// Words with a rough stem: short words and endings say little about where a fact stands.
function wordsOf(text) {
  const segments = new Intl.Segmenter(undefined, { granularity: "word" }).segment(text);
  return [...segments].filter((one) => one.isWordLike).map(({ segment, index }) => ({
    stem: stemOf(segment.toLocaleLowerCase()),
    start: index,
    end: index + segment.length,
  }));
}

function stemOf(word) {
  if (/\d/.test(word) || /[^\p{Script=Latin}]/u.test(word)) return word;
  if (word.length < MIN_STEM) return "";
  return word.replace(/(?:ings?|ed|es|s)$/, "").slice(0, Math.max(MIN_STEM, word.length - 2));
}

// Wraps the ranges that rangesOf(text) gives for each piece of text; earlier marks go.
function mark(rangesOf) {
  for (const old of stage.querySelectorAll("mark[data-found]")) {
    const parent = old.parentNode;
    old.replaceWith(...old.childNodes);
    parent.normalize();
  }
  place = -1;
  for (const root of stage.querySelectorAll("[data-findable]")) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) wrap(text, rangesOf(text.data));
  }
  marks = [...stage.querySelectorAll("mark[data-found]")];
}

function wrap(text, ranges) {
  for (const [start, end] of ranges.toReversed()) {
    const piece = text.splitText(start);
    piece.splitText(end - start);
    const found = document.createElement("mark");
    found.dataset.found = "";
    piece.replaceWith(found);
    found.append(piece);
  }
}
