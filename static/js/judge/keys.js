// The keys of a judge. Native radio groups work underneath and keep arrows, Space and Tab.
import { room } from "./room.js";

const ZEROS = [0x0660, 0x06f0, 0x0966, 0xff10]; // Arabic-Indic, Persian, Devanagari, full width
const TEXT = "textarea, select, input:not([type=radio], [type=checkbox], [type=button])";

// acts: rate(digit), byLetter(letter) > an act or null, next(), previous(), undo(), comment(),
// find(), match(isBack), instructions(), help()
export function startKeys(acts) {
  document.addEventListener("keydown", (event) => {
    if (isForeign(event)) return;
    if (event.key === "Enter") return onEnter(event, acts);
    if (!isShortcut(event)) return;
    const act = actOf(event, acts);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

// Held keys, input methods, text being typed and open dialogs are none of our business.
function isForeign(event) {
  if (event.isComposing || event.keyCode === 229) return true;
  if (document.querySelector("dialog[open]")) return true;
  if (event.repeat) {
    // A held Enter must not run through finished pages; held arrows stay native.
    if (event.key === "Enter" && event.target.matches("input, body")) event.preventDefault();
    return true;
  }
  return false;
}

function onEnter(event, acts) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("a, button, summary, textarea")) return;
  if (event.target.matches("[type=search]")) return;
  event.preventDefault();
  if (event.target.matches("[type=number], select")) event.target.blur(); // commits what was typed
  if (event.shiftKey) acts.previous();
  else acts.next();
}

function isShortcut(event) {
  if (event.ctrlKey || event.metaKey || event.target.closest("[popover].menu")) return false;
  const { shortcuts } = room.dataset;
  if (shortcuts === "off" || event.altKey !== (shortcuts === "alt")) return false;
  return !event.target.matches(TEXT) && !event.target.isContentEditable;
}

function actOf(event, acts) {
  const letter = letterOf(event);
  if (letter === "?") return acts.help;
  if (letter === "/") return acts.find;
  if (letter === "u") return acts.undo;
  if (letter === "c") return acts.comment;
  if (letter === "i") return acts.instructions;
  if (letter === "n") return () => acts.match(event.shiftKey);
  const digit = digitOf(event);
  if (digit !== null) return () => acts.rate(digit);
  return letter.length === 1 ? acts.byLetter(letter) : null;
}

// With Alt some systems type another sign; then the key's place says which letter it is.
function letterOf(event) {
  const key = event.key.toLowerCase();
  if (!event.altKey || /^[a-z?/]$/.test(key)) return key;
  return /^Key[A-Z]$/.test(event.code) ? event.code.slice(3).toLowerCase() : key;
}

// Returns "0" to "9" by the sign, or by the place in the digit row (which types signs on AZERTY).
export function digitOf({ key, code, shiftKey }) {
  if (/^[0-9]$/.test(key)) return key;
  if (key.length === 1) {
    const point = key.codePointAt(0);
    const zero = ZEROS.find((start) => point >= start && point <= start + 9);
    if (zero !== undefined) return String(point - zero);
  }
  const place = /^Digit([0-9])$/.exec(code);
  return place && !shiftKey ? place[1] : null;
}
