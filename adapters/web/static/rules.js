// The rule book: look up, read, practise, print. What is asked stands in the address, so that it can be shared.

import { read, send } from "./api.js";
import { label } from "./cards.js";
import { byId, el, show, toast, words } from "./dom.js";
import { partsOf, readingParts } from "./reading.js";

const TYPING_MS = 250;
const AGAIN_MS = 3000;
const TOO_FAST_MS = 1000;
const query = byId("query");
const ruleset = byId("ruleset");

let asked = 0;
let timer = 0;
let pressing = false;
/** Whether the address in view came from typing: the next letter then replaces it. */
let typed = false;

function wait(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Ask until there is an answer; null where something else has been asked meanwhile. */
async function answerTo(path, wanted) {
  while (wanted()) {
    try {
      const answer = await read(path);
      show(byId("offline"), false);
      if (answer.status !== 429) return wanted() ? answer : null;
      await wait(TOO_FAST_MS);
    } catch {
      show(byId("offline"), true);
      await wait(AGAIN_MS);
    }
  }
  return null;
}

function address(q) {
  const parts = new URLSearchParams();
  if (q) parts.set("q", q);
  if (chosenRules()) parts.set("reglas", chosenRules());
  return `/reglas${parts.size > 0 ? `?${parts}` : ""}`;
}

/** The rule set in the select; before that is filled, the one in the address. */
function chosenRules() {
  return ruleset.value || new URLSearchParams(location.search).get("reglas") || "";
}

/** Put what is in view into the history, whole: going back shows it at once. */
function keep(view, url, push) {
  if (push) history.pushState(view, "", url);
  else history.replaceState(view, "", url);
}

function draw({ reading, text }, focus) {
  const title = byId("reading-title");
  byId("reading").setAttribute("aria-busy", "false");
  show(title, Boolean(reading));
  label(title, reading?.title ?? "");
  byId("reading-body").replaceChildren(...(reading ? readingParts(reading, press) : [el("p", { class: "sentence" }, text)]));
  document.title = reading ? `${reading.title} · ${words.book}` : words.book;
  if (!focus) return;
  if (!reading) {
    byId("told").textContent = text;
    return;
  }
  byId("told").textContent = "";
  title.focus({ preventScroll: true });
  title.scrollIntoView({ block: "start" });
}

function busy() {
  byId("reading").setAttribute("aria-busy", "true");
}

/** Look up what stands in the box. ``how``: typing, asking (a new entry of the history), or opening (the same one). */
async function lookUp(how) {
  clearTimeout(timer);
  asked += 1;
  const number = asked;
  const q = query.value.trim();
  const url = address(q);
  busy();
  const parts = new URLSearchParams({ q, reglas: chosenRules() });
  const answer = await answerTo(`/api/libro?${parts}`, () => number === asked);
  if (answer === null) return;
  const view = { reading: answer.reading ?? null, text: answer.text || words.not_sent };
  const same = url === location.pathname + location.search;
  if (how === "opening") keep(view, location.href, false);
  else keep(view, url, !same && !(how === "typing" && typed));
  typed = how === "typing";
  draw(view, how === "asking");
  if (how === "typing") byId("told").textContent = view.reading?.title ?? view.text;
}

/** A button of the book. */
async function press(token) {
  if (pressing) return;
  pressing = true;
  clearTimeout(timer);
  asked += 1;
  const number = asked;
  busy();
  const answer = await send("/api/libro/pulsar", { token });
  if (answer.code) {
    location.assign(`/mesa/${answer.code}`);
    return;
  }
  pressing = false;
  if (number !== asked) return;
  if (!answer.reading) {
    byId("reading").setAttribute("aria-busy", "false");
    toast(answer.text, answer.ok);
    return;
  }
  const view = { reading: answer.reading, text: "", token };
  query.value = questionOf(token, answer.reading);
  typed = false;
  keep(view, address(query.value), true);
  draw(view, true);
}

/** What one would have typed to come where a button leads; nothing for chapters. */
function questionOf(token, reading) {
  const { verb } = partsOf(token);
  if (verb === "re") return reading.title;
  if (verb === "qz") return words.book_ask_quiz;
  return verb === "sh" ? words.book_ask_sheet : "";
}

/** The same by other rules: a chapter stays open, anything else is looked up again. */
function changeRules() {
  const { verb, rest } = partsOf(history.state?.token ?? "");
  if (verb === "ix" && rest.length > 0 && !query.value) {
    press(["1", "x", "0", verb, ...rest, ruleset.value.replaceAll("-", "")].join(":"));
  } else {
    lookUp("asking");
  }
}

function fromAddress() {
  const parts = new URLSearchParams(location.search);
  query.value = parts.get("q") ?? "";
  const wanted = [...ruleset.options].find((option) => option.value === parts.get("reglas"));
  const first = [...ruleset.options].find((option) => option.defaultSelected);
  if (wanted ?? first) ruleset.value = (wanted ?? first).value;
}

async function fillRules() {
  const answer = await answerTo("/api/inicio", () => true);
  if (!answer.ok) {
    toast(answer.text, false);
    return;
  }
  const wanted = chosenRules();
  ruleset.replaceChildren(
    ...answer.rules.map((one) => el("option", { value: one.value, selected: one.chosen }, one.label)),
  );
  if (answer.rules.some((one) => one.value === wanted)) ruleset.value = wanted;
}

function open() {
  if (history.state?.reading) {
    asked += 1;
    draw(history.state, false);
  } else {
    lookUp("opening");
  }
}

query.addEventListener("input", (event) => {
  clearTimeout(timer);
  if (!event.isComposing) timer = setTimeout(() => lookUp("typing"), TYPING_MS);
});
query.addEventListener("compositionend", () => {
  timer = setTimeout(() => lookUp("typing"), TYPING_MS);
});
byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  lookUp("asking");
});
ruleset.addEventListener("change", changeRules);
byId("index").addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  query.value = "";
  lookUp("asking");
});
window.addEventListener("popstate", () => {
  clearTimeout(timer);
  typed = false;
  fromAddress();
  open();
});

// Coming back from a table shows the page as it was left.
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  pressing = false;
  byId("reading").setAttribute("aria-busy", "false");
});

fromAddress();
open();
fillRules();
