// Everything to be stored goes through here: one at a time, in order, until the server has it.
import { LinkEnded, Refused, Unreachable, call } from "./api.js";
import { forget, keep, leftBehind } from "./store.js";
import { randomUUID } from "./uuid.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15000;
const LONGEST_OBEYED_MS = 300000; // what a server asks for beyond this is a fault of it

const waiting = [];
const unkept = new Set(); // of those, the ones that a closed tab would still lose
const versions = new Map(); // question > version of the answer that the server holds
let idlers = [];
let handlers = {};
let isPumping = false;
let hasFailed = false; // an answer was refused and is on the screen only
let hasEnded = false;
let failures = 0;
let trouble = "offline"; // the state while there are failures
let wake = () => {};
let lastOrder = 0;

// handlers: state(name, n), stored(entry, answer), refused(entry, refusal), ended()
export async function startQueue(given) {
  handlers = given;
  window.addEventListener("online", () => wake());
  window.addEventListener("beforeunload", (event) => {
    if (waiting.length) event.preventDefault();
  });
  const old = await leftBehind();
  const known = new Set(waiting.map((entry) => entry.order));
  waiting.unshift(...old.filter((entry) => !known.has(entry.order)));
  pump();
  return old;
}

export const isEmpty = () => waiting.length === 0;
export const setVersion = (question, version) => versions.set(question, version);

// Returns the latest answer to a question that still waits; undefined where none does.
export function pendingAnswer(question) {
  return waiting.findLast((entry) => entry.question === question)?.answer;
}

// answer: {value} or {text} or {missing_reason}, or null to take it back
export function sendAnswer(question, answer, change) {
  enqueue({ question, answer, body: { ...answer, ...change, uuid: randomUUID() } });
}

// visit: the times on an output; isHandedIn: whether it is complete, or asked about once more
export function sendDone(handle, visit, isHandedIn) {
  enqueue({ done: handle, body: { visits: [visit], is_handed_in: isHandedIn } });
}

// Resolves when the server has everything; rejects with Unreachable where it cannot be reached.
export async function whenEmpty() {
  while (waiting.length) {
    if (failures || hasEnded) throw new Unreachable();
    await new Promise((resolve) => { idlers.push(resolve); });
  }
}

function enqueue(entry) {
  // Time first, so that entries of several tabs stay in the order in which they were made.
  entry.order = lastOrder = Math.max(Date.now(), lastOrder + 0.001);
  waiting.push(entry);
  hold(entry);
  pump();
}

async function hold(entry) {
  unkept.add(entry);
  await keep(entry);
  unkept.delete(entry);
  showTrouble();
}

// A judge who reads "2 waiting" may close the tab: only what is kept is counted.
function showTrouble() {
  const n = waiting.filter((entry) => !unkept.has(entry)).length;
  if (failures && n) handlers.state(trouble, n);
}

async function pump() {
  if (isPumping || hasEnded) return;
  isPumping = true;
  while (waiting.length && !hasEnded) {
    if (!failures) handlers.state("saving", waiting.length);
    await attempt(waiting[0]);
  }
  isPumping = false;
  if (!waiting.length) handlers.state(hasFailed ? "failed" : "saved", 0);
}

async function attempt(entry) {
  try {
    const answer = await transmit(entry);
    failures = 0;
    hasFailed = false;
    remove(entry);
    if (entry.question) versions.set(entry.question, answer.version);
    handlers.stored(entry, answer);
  } catch (problem) {
    if (problem instanceof Refused) refuse(entry, problem);
    else if (problem instanceof LinkEnded) end();
    else await waitForServer(problem);
  }
  settle();
}

function transmit(entry) {
  if (entry.done) return call("POST", `${entry.done}/done/`, handlers.complete(entry.body));
  const body = { ...entry.body, version: versions.get(entry.question) ?? 0 };
  return call(entry.answer ? "PUT" : "DELETE", entry.question, body);
}

function refuse(entry, refusal) {
  failures = 0;
  remove(entry);
  const newer = refusal.body.rating;
  if (newer) versions.set(entry.question, newer.version);
  if (handlers.refused(entry, refusal)) hasFailed = true;
}

function settle() {
  for (const resolve of idlers.splice(0)) resolve();
}

function remove(entry) {
  waiting.splice(waiting.indexOf(entry), 1);
  forget(entry);
}

function end() {
  hasEnded = true;
  handlers.ended();
}

async function waitForServer({ state = "offline", afterMs }) {
  failures += 1;
  trouble = state;
  settle();
  showTrouble();
  const own = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
  const pause = Math.min(Math.max(afterMs ?? own, FIRST_WAIT_MS), LONGEST_OBEYED_MS);
  await new Promise((resolve) => {
    wake = resolve;
    setTimeout(resolve, pause);
  });
}
