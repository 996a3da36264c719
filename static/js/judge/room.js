// What the server told this page: its settings and the words it may say.
export const room = document.querySelector("[data-judging]");
export const stage = room.querySelector("[data-stage]");

const words = JSON.parse(document.getElementById("judge-words").textContent);

// Returns a sentence in the judge's language; {name} is replaced by values.name.
export function say(key, values = {}) {
  return words[key].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

// Storage that outlives the tab is kept out of frames of other sites, where browsers refuse it.
export const isTopLevel = window.top === window.self;
