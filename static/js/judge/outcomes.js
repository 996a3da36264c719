// What the server said to what was sent.
import { isSame, lastAnswer, showAnswer, showProgress } from "./answers.js";
import { notify, showSaveState } from "./notices.js";
import { addPages, have, nAhead, questionAnywhere, shownPage } from "./pages.js";
import { pendingAnswer } from "./queue.js";
import { say } from "./room.js";

const FEW = 3; // pages ahead; two are in hand at the least

export const outcomes = {
  state: showSaveState,

  // When few pages are ahead, the browser says which it has, and gets the next ones.
  complete: (body) => (body.is_handed_in && nAhead() < FEW ? { ...body, have: have() } : body),

  stored(entry, answer) {
    if (answer.is_late) notify("warn", say("late"));
    if (answer.pages) addPages(answer.pages);
    if (entry.question) reconcile(entry.question, answerIn(answer));
  },

  refused(entry, { body, message }) {
    const place = entry.question && questionAnywhere(entry.question);
    if (body.code === "stale" && place) {
      const newer = answerIn(body.rating);
      if (isSame(newer, entry.answer)) return;
      showAnswer(place.question, newer);
      showProgress(shownPage());
      notify("warn", say("stale"));
      return;
    }
    notify("bad", say("refused", { detail: message }));
    return "failed";
  },

  ended() {
    showSaveState("failed");
    notify("bad", say("link_ended"));
  },
};

// What another window stored meanwhile replaces what is shown here, once nothing waits any more.
function reconcile(name, answer) {
  const place = questionAnywhere(name);
  if (!place || pendingAnswer(name) !== undefined) return;
  if (isSame(lastAnswer(place.question), answer)) return;
  showAnswer(place.question, answer);
  showProgress(shownPage());
}

function answerIn({ value, text, missing_reason: reason }) {
  if (value !== null) return { value };
  if (text !== null) return { text };
  return reason === null ? null : { missing_reason: reason };
}
