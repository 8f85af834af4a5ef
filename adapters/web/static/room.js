// A room: fetches what the visitor may see whenever the table changes, and sends what they tap.

import { read, send } from "./api.js";
import { button } from "./buttons.js";
import { byId, copy, fill, show, toast, words } from "./dom.js";
import { fetchFile, showReading } from "./dialog.js";
import { Hand } from "./hand.js";
import { Clock, drawFeed, drawLobby, drawResult, Picture } from "./table.js";

const PAUSE_MS = 120;
const POLL_MS = 4000;
const OFFLINE_MS = 2500;
const code = location.pathname.split("/").filter(Boolean).at(-1).toUpperCase();
const api = `/api/mesas/${code}`;

let state = null;
let question = null;
let pressing = false;
let fetching = false;
let again = false;
let stream = null;
let offlineTimer = 0;
let pollTimer = 0;

const room = { press, join, tell: (text) => toast(text, false), invite, link: () => `${location.origin}/mesa/${code}` };
const hand = new Hand(byId("hand"), press);
const picture = new Picture(code);
const clock = new Clock();

function draw() {
  const table = state.public;
  document.title = (state.hand?.active ? `● ${words.your_turn} · ` : "") + `${table.title} · ${words.brand}`;
  byId("title").textContent = table.title;
  byId("code").textContent = code;
  byId("main").setAttribute("aria-busy", "false");
  document.body.dataset.role = table.role;
  show(byId("rules"), table.rules !== null);
  picture.update(table);
  clock.update(table);
  if (!table.picture) show(byId("loading"), false);
  drawLobby(byId("lobby"), state, room);
  drawResult(byId("result"), state, room);
  hand.update(state.hand, question, table.over);
  drawFeed(state);
  show(byId("watching"), table.role === "table" && state.hand === null);
}

/** Take in a state unless a newer one is in view already. */
function take(next) {
  if (state !== null && next.version < state.version) return;
  if (question !== null && next.version !== question.version) question = null;
  state = next;
  draw();
}

/** Fetch the state; calls while one is under way are taken together. */
async function refresh() {
  if (fetching) {
    again = true;
    return;
  }
  fetching = true;
  try {
    do {
      again = false;
      const answer = await read(api);
      if (answer.ok) {
        online();
        take(answer);
      } else {
        toast(answer.text, false);
        again = answer.status === 429;
      }
      await new Promise((resolve) => setTimeout(resolve, answer.status === 429 ? 1000 : PAUSE_MS));
    } while (again);
  } catch {
    offline();
    setTimeout(refresh, POLL_MS);
  } finally {
    fetching = false;
  }
}

/** Send a press; whether something was done by it. */
async function post(path, body) {
  if (pressing) return false;
  const before = state?.version;
  pressing = true;
  document.body.classList.add("pressing");
  try {
    const answer = await send(`${api}/${path}`, body);
    if (answer.state) {
      if (answer.go) location.assign(`/mesa/${answer.go}`);
      if (!answer.reading) question = answer.question ?? null;
      take(answer.state);
      if (answer.reading) openReading(answer.reading);
      if (answer.file) fetchFile(answer.file);
    }
    // What the hand says already needs no toast.
    if (!answer.ok || !state?.hand?.lines.includes(answer.text)) toast(answer.text, answer.ok, moreOf(answer));
    return answer.ok && !answer.question && answer.state.version !== before;
  } finally {
    pressing = false;
    document.body.classList.remove("pressing");
  }
}

function press(token) {
  return post("pulsar", { token });
}

function join(name) {
  return post("sentarse", { name });
}

/** The way from a refusal to the rule that explains it, where there is one. */
function moreOf(answer) {
  return answer.more ? { label: answer.more.label, act: () => press(answer.more.token) } : null;
}

/** Show something to read over the page; its buttons lead on within it. */
function openReading(reading) {
  byId("reading").dataset.suits = state.hand?.suits ?? "four";
  // The table's rules lead to the topics. Whoever has no name yet finds those behind the link at the foot.
  const leads = reading.rows.length === 0 && state.name ? [button(indexChoice(), press)] : [];
  showReading(reading, press, leads);
}

function indexChoice() {
  return { label: words.book_topics, token: state.public.rules.token.replace(/:ru$/, ":ix"), style: "plain", enabled: true };
}

async function invite() {
  const link = room.link();
  const done = await copy(link);
  toast(done ? words.copied : fill(words.copy_by_hand, { link }), done);
}

function offline() {
  if (!offlineTimer) offlineTimer = setTimeout(() => show(byId("offline"), true), OFFLINE_MS);
}

function online() {
  clearTimeout(offlineTimer);
  offlineTimer = 0;
  show(byId("offline"), false);
}

/** Listen for changes. The browser opens the stream again by itself; where it gives up, we do. */
function listen() {
  clearTimeout(pollTimer);
  stream?.close();
  stream = new EventSource(`${api}/avisos`);
  stream.addEventListener("open", online);
  stream.addEventListener("version", (event) => {
    if (state === null || JSON.parse(event.data).version !== state.version) refresh();
  });
  stream.addEventListener("apart", () => {
    stream.close();
    poll();
  });
  stream.addEventListener("error", () => {
    offline();
    if (stream.readyState === EventSource.CLOSED) poll();
  });
}

/** Without a stream (too many open pages, or no connection): ask now and then while the page is in view. */
function poll() {
  clearTimeout(pollTimer);
  pollTimer = setTimeout(async () => {
    if (document.visibilityState === "visible") await refresh();
    poll();
  }, POLL_MS);
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible" || state === null) return;
  // A phone that slept may hold a dead connection without knowing.
  refresh();
  if (stream.readyState === EventSource.CLOSED) listen();
});
byId("invite").addEventListener("click", invite);
byId("rules").addEventListener("click", () => press(state.public.rules.token));

await refresh();
listen();
