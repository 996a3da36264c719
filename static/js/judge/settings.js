// What a judge sets for themselves: shown at once, kept on the server for every device.
import { call } from "./api.js";
import { notify } from "./notices.js";
import { room, say } from "./room.js";

const root = document.documentElement;
const form = room.querySelector("[data-settings]");

export const isAutoNext = () => room.dataset.autoNext === "true";

export function startSettings() {
  for (const button of room.querySelectorAll("[data-open]")) {
    button.hidden = false;
    button.addEventListener("click", () => openDialog(button.dataset.open));
  }
  fill();
  form.addEventListener("change", ({ target }) => {
    const value = target.type === "checkbox" ? target.checked : target.value;
    apply(target.name, value);
    keep({ [target.name]: value });
  });
}

export function openDialog(id) {
  document.querySelector("[popover]:popover-open")?.hidePopover();
  document.getElementById(id).showModal();
}

export async function keep(preferences) {
  try {
    await call("PUT", "preferences/", preferences);
    if ("language" in preferences) location.reload();
  } catch {
    notify("warn", say("preference_lost"));
  }
}

function fill() {
  form.elements.theme.value = root.dataset.theme ?? "auto";
  form.elements.text_size.value = root.dataset.text ?? "normal";
  form.elements.shortcuts.value = room.dataset.shortcuts;
  form.elements.auto_next.checked = isAutoNext();
  form.elements.language.value = room.dataset.language;
}

function apply(name, value) {
  if (name === "theme") setOrRemove("theme", value, "auto");
  if (name === "text_size") setOrRemove("text", value, "normal");
  if (name === "shortcuts") room.dataset.shortcuts = value;
  if (name === "auto_next") room.dataset.autoNext = String(value);
}

function setOrRemove(attribute, value, standard) {
  if (value === standard) delete root.dataset[attribute];
  else root.dataset[attribute] = value;
}
