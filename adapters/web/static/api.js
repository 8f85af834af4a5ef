// Requests to the room. A press has an id of its own, so that sending it twice has one effect.

import { words } from "./dom.js";

const TIMEOUT_MS = 10000;
const AGAIN_MS = 700;

export function pressId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function request(path, options) {
  const response = await fetch(path, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const type = response.headers.get("Content-Type") ?? "";
  const body = type.startsWith("application/json") ? await response.json() : {};
  return { status: response.status, ...body, ok: response.ok && body.ok !== false, text: body.text ?? "" };
}

/** What the room answers to a read; throws where it cannot be reached. */
export function read(path) {
  return request(path, { headers: { Accept: "application/json" } });
}

/** What the room answers to a press; sent once more, under the same id, where the first attempt got no answer. */
export async function send(path, body) {
  const options = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...body, press_id: pressId() }),
  };
  try {
    return await request(path, options);
  } catch {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    try {
      return await request(path, options);
    } catch {
      return { ok: false, status: 0, text: words.not_sent };
    }
  }
}
