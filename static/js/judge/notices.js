// What the page says: the save state, a live line for screen readers, notices that stay.
import { room, say } from "./room.js";

const state = room.querySelector("[data-save-state]");
const live = room.querySelector("[data-live]");
const notices = room.querySelector("[data-notices]");

export function showSaveState(name, n) {
  state.hidden = false;
  state.dataset.state = name;
  const text = say(name, { n });
  if (state.textContent !== text) state.textContent = text;
}

export function announce(text) {
  live.textContent = text;
}

// Shows a notice once; act is an optional {label, run}.
export function notify(kind, text, act) {
  const shown = [...notices.children].find((one) => one.dataset.text === text);
  if (shown) return shown;
  const notice = document.createElement("div");
  notice.className = "notice";
  notice.dataset.kind = kind;
  notice.dataset.text = text;
  const words = document.createElement("span");
  words.textContent = text;
  notice.append(words);
  notice.append(actButton(act ?? { label: "×", run: () => notice.remove() }, text));
  notices.append(notice);
  return notice;
}

export function withdraw(text) {
  [...notices.children].find((one) => one.dataset.text === text)?.remove();
}

function actButton({ label, run }, text) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button-small";
  button.textContent = label;
  if (label === "×") button.setAttribute("aria-label", `${say("dismiss")}: ${text}`);
  button.addEventListener("click", run);
  return button;
}
