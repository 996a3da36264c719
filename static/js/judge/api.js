// Calls to the server. Three kinds of failure: refused for good, link ended, not reached for now.
import { room } from "./room.js";

const BASE = room.dataset.api.replace(/next\/$/, "");
const TIMEOUT_MS = 15000;

export class Refused extends Error {
  constructor(status, body) {
    super(body.detail ?? String(status));
    this.status = status;
    this.body = body;
  }
}
export class LinkEnded extends Error {}
export class Unreachable extends Error {
  // state: what the judge is told, where the server answered; afterMs: when it wants to be asked again.
  constructor(state, afterMs) {
    super();
    this.state = state;
    this.afterMs = afterMs;
  }
}

export async function call(method, path, body) {
  const response = await send(method, path, body);
  if (response.status === 401 || response.status === 403) throw new LinkEnded();
  if (response.status === 429 || response.status >= 500) {
    throw new Unreachable("busy", retryAfter(response));
  }
  const answer = await response.json().catch(() => {
    throw new Unreachable(); // a proxy or a hotel's network answered, not Concord
  });
  if (!response.ok) throw new Refused(response.status, answer);
  return answer;
}

// Retry-After holds seconds, or a moment.
function retryAfter(response) {
  const said = response.headers.get("Retry-After");
  if (!said) return undefined;
  const afterMs = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.now();
  return Number.isNaN(afterMs) ? undefined : afterMs;
}

async function send(method, path, body) {
  try {
    return await fetch(BASE + path, {
      method,
      headers: {
        Authorization: `Judge ${room.dataset.token}`,
        ...(body && { "Content-Type": "application/json" }),
      },
      body: body && JSON.stringify(body),
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    throw new Unreachable();
  }
}
