// What waits to be sent is kept in IndexedDB too, so that a closed tab loses nothing.
import { isTopLevel, room } from "./room.js";

const NAME = "concord-judging";
const { judge } = room.dataset; // the same for each link of this judge
let opened;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("waiting", { keyPath: "order" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function run(mode, act) {
  if (!isTopLevel || !("indexedDB" in window)) return undefined;
  try {
    const transaction = (await open()).transaction("waiting", mode);
    const request = act(transaction.objectStore("waiting"));
    return await new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  } catch {
    return undefined; // private windows may refuse; the queue in memory still holds everything
  }
}

export const keep = (entry) => run("readwrite", (waiting) => waiting.put({ ...entry, judge }));
export const forget = (entry) => run("readwrite", (waiting) => waiting.delete(entry.order));

// Returns what an earlier tab of this judge could not send, in the order it was made.
export async function leftBehind() {
  const all = (await run("readonly", (waiting) => waiting.getAll())) ?? [];
  return all.filter((entry) => entry.judge === judge);
}
