// The pages in hand: shown from memory, fetched ahead, each an entry of the browser's history.
import { Refused, call } from "./api.js";
import {
  findQuestion, focusQuestion, isMissing, nameOf, questionsIn, remember, showAnswer, showProgress,
} from "./answers.js";
import { pendingAnswer, setVersion } from "./queue.js";
import { room, say, stage } from "./room.js";

const pages = new Map(); // key > its main element, or its address where instructions come first
const heading = room.querySelector("[data-heading]");
const instructions = room.querySelector("[data-instructions]");
const scrolls = new Map();
const KEPT_BEHIND = 40;
let onShown = () => {};

export const shownPage = () => stage.querySelector("main");
export const keyOf = (main) => main.dataset.page;
export const have = () => [...pages.keys()];

export function startPages(handler) {
  onShown = handler;
  const main = shownPage();
  adopt(main);
  pages.set(keyOf(main), main);
  history.replaceState({ key: keyOf(main) }, "");
  window.addEventListener("popstate", ({ state }) => {
    if (state?.key) goTo(state.key, { isNew: false });
  });
  window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  present(main);
}

// Takes in pages as the server sends them; those in hand already stay as they are.
export function addPages(sent) {
  for (const { key, url, is_unread: isUnread, html } of sent) {
    if (pages.has(key)) continue;
    pages.set(key, isUnread ? url : parse(html));
  }
  letGo();
}

// Pages far behind are fetched again when wanted: a day's work need not stay in memory.
function letGo() {
  const behind = have().filter((key) => key !== keyOf(shownPage()) && !isAfterShown(key));
  for (const key of behind.slice(0, -KEPT_BEHIND)) pages.delete(key);
}

export async function fetchAhead() {
  const { pages: sent } = await call("GET", `next/?have=${have().join(",")}`);
  addPages(sent);
  return sent;
}

export function followingKey(main) {
  const [draw, number] = keyOf(main).split(".").map(Number);
  return main.dataset.isLast === "true" ? `${draw + 1}.1` : `${draw}.${number + 1}`;
}

// Shows a page. Rejects with Unreachable where it has to be fetched and cannot be.
export async function goTo(key, { isNew = true } = {}) {
  if (!pages.has(key)) {
    const [draw, number] = key.split(".");
    addPages([await call("GET", `pages/${draw}/${number}/`)]);
  }
  const page = pages.get(key);
  if (typeof page === "string") {
    location.assign(page);
    return;
  }
  if (page === shownPage()) return;
  scrolls.set(shownPage(), readScroll());
  stage.replaceChildren(page);
  if (isNew) history.pushState({ key }, "", page.dataset.url);
  present(page);
}

// Goes to what follows the page: the next in hand or given before, else what the server leases
// once it has everything.
export async function goOn(whenStored) {
  const key = followingKey(shownPage());
  if (!pages.has(key)) await whenStored();
  try {
    await goTo(key);
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    const sent = await fetchAhead();
    const first = sent[0]?.key ?? have().filter(isAfterShown)[0];
    if (first) await goTo(first);
    else location.assign(room.dataset.entry);
  }
}

export async function goBack() {
  const address = shownPage().dataset.previous;
  if (!address) return;
  const [draw, number = "1"] = address.replace(/.*\/j\/[^/]+\//, "").split("/").filter(Boolean);
  await goTo(`${draw}.${number}`);
}

// Returns how many pages in hand lie ahead of the one shown.
export const nAhead = () => have().filter(isAfterShown).length;

function isAfterShown(key) {
  const [draw, number] = key.split(".").map(Number);
  const [shownDraw, shownNumber] = keyOf(shownPage()).split(".").map(Number);
  return draw > shownDraw || (draw === shownDraw && number > shownNumber);
}

function parse(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const main = document.importNode(holder.content.querySelector("main"), true);
  adopt(main);
  return main;
}

// Learns what the server holds, and puts what still waits to be sent on top of it.
function adopt(main) {
  for (const question of questionsIn(main)) {
    setVersion(nameOf(question), Number(question.dataset.version));
    const pending = pendingAnswer(nameOf(question));
    if (pending === undefined) remember(question);
    else showAnswer(question, pending);
  }
}

// Puts answers that an earlier tab left unsent on the pages in hand.
export function applyPending(entries) {
  for (const { question, answer } of entries) {
    for (const page of pages.values()) {
      const found = typeof page !== "string" && question && findQuestion(page, question);
      if (found) showAnswer(found, answer);
    }
  }
  showProgress(shownPage());
}

export function questionAnywhere(name) {
  for (const [key, page] of pages) {
    const found = typeof page !== "string" && findQuestion(page, name);
    if (found) return { key, question: found };
  }
  return null;
}

function present(main) {
  const { first, last } = main.dataset;
  // Places given back since the page was loaded may have made the way longer.
  const total = Math.max(Number(room.dataset.total), Number(last));
  heading.textContent = say(headingOf(main), { first, last, total });
  document.title = `${heading.textContent} · ${room.dataset.study} · Concord`;
  instructions.search = `?${new URLSearchParams({ phase: main.dataset.phase, page: keyOf(main) })}`;
  showProgress(main);
  restoreScroll(scrolls.get(main));
  onShown(main);
  const questions = questionsIn(main);
  const question = questions.find(isMissing) ?? questions[0];
  focusQuestion(question);
  // A new page is read from its text down, however far below its first question stands.
  if (question === questions[0] && !scrolls.has(main)) restoreScroll();
}

function headingOf({ dataset }) {
  if (dataset.isComparison === "true") return "heading_compared";
  return dataset.first === dataset.last ? "heading_one" : "heading_many";
}

const panes = () => [...stage.querySelectorAll(".pane")];
const readScroll = () => [window.scrollY, ...panes().map((pane) => pane.scrollTop)];

function restoreScroll([top, ...ofPanes] = [0]) {
  window.scrollTo({ top, behavior: "instant" });
  for (const [n, pane] of panes().entries()) pane.scrollTop = ofPanes[n] ?? 0;
}
