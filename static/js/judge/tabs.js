// Two tabs of one judge: the newer one works, the older one waits until it is wanted again.
import { notify } from "./notices.js";
import { room, say, stage } from "./room.js";

export function startTabs() {
  if (!("BroadcastChannel" in window)) return;
  const channel = new BroadcastChannel(`concord:${room.dataset.judge}`);
  channel.addEventListener("message", stepBack);
  channel.postMessage("here");
}

function stepBack() {
  stage.inert = true;
  room.dataset.isElsewhere = "true";
  notify("warn", say("elsewhere"), { label: say("elsewhere_act"), run: () => location.reload() });
}

export const isElsewhere = () => room.dataset.isElsewhere === "true";
