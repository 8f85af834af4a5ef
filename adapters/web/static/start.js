// The start page: open a table, or enter one by its code.

import { read, send } from "./api.js";
import { cardClass, face } from "./cards.js";
import { byId, el, show, toast, words } from "./dom.js";
import { House } from "./house.js";
import { drawMe } from "./me.js";

const FAN = [["4h", 0], ["5h", 1], ["JK", 0], ["7h", 1], ["8h", 0]];
const AGAIN_MS = 3000;
const LESSON = "1:x:0:ls:clasico";
const house = new House(byId("house"));
let rules = [];
let paces = [];

function fan() {
  byId("fan").replaceChildren(
    ...FAN.map(([code, back]) => el("span", { class: cardClass(code) }, ...face(code, back, "JKR"))),
  );
}

/** A few options, all laid out, of which one is chosen. */
function choose(name, title, options) {
  const tiles = options.map((option) => {
    const input = el("input", { type: "radio", name, value: option.value, checked: option.chosen });
    return el("label", { class: "tile" }, input, el("span", {}, option.label.replace(" (", "\n(")));
  });
  return el("fieldset", {}, el("legend", {}, title), el("div", { class: "tiles" }, ...tiles));
}

/** The rule sets, of which there are too many to lay them all out, and what to know of the chosen one. */
function chooseRules(rule) {
  const options = rules.map((one) => el("option", { value: one.value, selected: one === rule }, one.label));
  const select = el("select", { name: "rules" }, ...options);
  select.addEventListener("change", () => drawChoices(select.value));
  return el(
    "div",
    {},
    el("label", { class: "field" }, el("span", {}, words.rules), select),
    el("ul", { class: "digest" }, ...rule.lines.map((line) => el("li", {}, line))),
  );
}

function drawChoices(chosenRules) {
  const rule = rules.find((one) => one.value === chosenRules) ?? rules[0];
  const parts = rules.length > 1 ? [chooseRules(rule)] : [];
  parts.push(choose("seating", words.players, rule.seatings));
  if (rule.targets.length > 0) parts.push(choose("target", words.target, rule.targets));
  parts.push(choose("pace", words.pace, paces));
  house.choose(rule.value);
  const again = byId("choices").contains(document.activeElement);
  byId("choices").replaceChildren(...parts);
  if (again) byId("choices").querySelector("[name=rules]")?.focus();
}

function chosen(name) {
  return byId("open").querySelector(`[name=${name}]:checked`)?.value;
}

async function open(event) {
  event.preventDefault();
  const button = byId("open-button");
  if (button.disabled) return;
  button.disabled = true;
  const target = chosen("target");
  const answer = await send("/api/mesas", {
    name: byId("name").value,
    ruleset: byId("open").querySelector("[name=rules]")?.value ?? rules[0].value,
    seating: chosen("seating"),
    pace: chosen("pace"),
    target: target === undefined ? null : Number(target),
    options: house.options,
    title: byId("title").value,
    private: byId("private").checked,
    stake: Number(byId("stake").value.replace(/\D/g, "")),
  });
  if (answer.ok) {
    location.assign(`/mesa/${answer.code}`);
    return;
  }
  button.disabled = false;
  toast(answer.text, false);
  if (answer.status === 400) byId("name").focus();
}

/** Begin the guided first deal: a table of its own, at which a robot already sits. */
async function learn() {
  const button = byId("lesson");
  if (button.disabled) return;
  button.disabled = true;
  // The visit has to be known before a hand can be dealt to it.
  if (rules.length === 0) await load();
  const answer = await send("/api/libro/pulsar", { token: LESSON });
  if (answer.code) {
    location.assign(`/mesa/${answer.code}`);
    return;
  }
  button.disabled = false;
  toast(answer.text, false);
}

function enter(event) {
  event.preventDefault();
  // A whole invitation link does as well.
  const code = byId("code").value.split("/").at(-1).toUpperCase().replace(/[^A-Z0-9]/g, "");
  if (code) location.assign(`/mesa/${code}`);
  else byId("code").focus();
}

/** Forget the visitor, after a question with its consequences. */
async function erase() {
  const asked = await read("/api/mis-datos/borrar");
  if (!asked.token) {
    toast(asked.text, asked.ok);
    return;
  }
  if (!confirm(asked.text)) return;
  const done = await send("/api/mis-datos/borrar", { token: asked.token });
  toast(done.text, done.ok);
  if (!done.ok) return;
  byId("name").value = "";
  await load();
}

/** A list of tables to go to; not there without any. */
function list(name, tables) {
  show(byId(name), tables.length > 0);
  byId(`${name}-list`).replaceChildren(
    ...tables.map((table) =>
      el("li", {}, el("a", { href: `/mesa/${table.code}` }, el("span", {}, table.title), el("b", {}, table.code))),
    ),
  );
}

async function load() {
  try {
    const answer = await read("/api/inicio");
    if (!answer.ok) throw new Error(answer.text);
    rules = answer.rules;
    paces = answer.paces;
    if (!byId("name").value) byId("name").value = answer.name;
    drawChoices(rules.find((one) => one.chosen)?.value);
    show(byId("data"), answer.name !== "");
    drawMe(answer.me);
    list("own", answer.tables);
    list("waiting", answer.waiting);
  } catch {
    toast(words.offline, false);
    setTimeout(load, AGAIN_MS);
  }
}

fan();
byId("open").addEventListener("submit", open);
byId("enter").addEventListener("submit", enter);
byId("lesson").addEventListener("click", learn);
byId("erase").addEventListener("click", erase);
// Coming back to this page shows it as it was left, with its buttons on again.
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  byId("lesson").disabled = false;
  byId("open-button").disabled = false;
});
load();
