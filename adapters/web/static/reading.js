// Something to read: text, examples with cards, the page to print, and buttons that lead on. Everything goes in as text.

import { button } from "./buttons.js";
import { cardClass, face, label, pip, sign, withPips } from "./cards.js";
import { el, words } from "./dom.js";

const POINT = "• ";
const LONGEST_HEADING = 60;
const LONGEST_SHORT = 22;
const JOKER = "JKR";

/** The elements of a reading below its title; ``press`` is called with the token of a tapped button. */
export function readingParts(reading, press, image = null) {
  const text = lines(reading.lines);
  const examples = reading.examples.length > 0 ? [el("ul", { class: "examples" }, ...reading.examples.map(example))] : [];
  // Cards that somebody asks about come before what is said of them; examples come after the rule.
  const asked = reading.examples.length === 1 && !reading.examples[0].caption;
  // A moment of a deal is told first and shown then, with the way on right below; a profile is shown first.
  const turns = reading.rows.flat().some((choice) => partsOf(choice.token).verb === "rp");
  if (image && turns) return [text[0], image, ...leads(reading.rows, press), ...text.slice(1)];
  if (examples.length > 0 && turns) return [text[0], ...leads(reading.rows, press), ...examples];
  if (image) return [image, ...text, ...leads(reading.rows, press)];
  return [
    ...(asked ? [...examples, ...text] : [...text, ...examples]),
    ...(reading.sheet ? [sheet(reading.sheet)] : []),
    ...leads(reading.rows, press),
  ];
}

/** A token in its parts. */
export function partsOf(token) {
  const [, table, , verb, ...rest] = token.split(":");
  // Without a table, the last part names the rule set.
  const mark = table === "x" ? rest.pop() : undefined;
  return { verb, mark, rest };
}

function lines(texts) {
  const nodes = [];
  let list = null;
  for (const [i, text] of texts.entries()) {
    if (text.startsWith(POINT)) {
      if (list === null) {
        list = el("ul", { class: "points" });
        nodes.push(list);
      }
      list.append(el("li", {}, label(el("p"), text.slice(POINT.length))));
      continue;
    }
    list = null;
    nodes.push(heads(text, texts[i + 1]) ? label(el("h3"), text) : label(el("p"), text));
  }
  return nodes;
}

/** Whether a line is a heading: points follow, and it is no sentence of its own. */
function heads(text, next) {
  return Boolean(next?.startsWith(POINT)) && text.length <= LONGEST_HEADING && !/[.!?…»]$/u.test(text);
}

function example(one) {
  const names = one.cards.map((card) => sign(card.code, JOKER) + (card.place ? ` (${card.place})` : "")).join(" ");
  const cards = el("div", { class: "shown", role: "img", "aria-label": names }, ...one.cards.map(shownCard));
  const kind = one.good === null ? "" : one.good ? "good" : "bad";
  return el("li", { class: `example ${kind}`.trim() }, cards, verdict(one.good), one.caption && label(el("p"), one.caption));
}

function verdict(good) {
  if (good === null) return null;
  const [icon, text] = good ? ["tick", words.book_good] : ["cross", words.book_bad];
  return el("span", { class: "verdict" }, pip(icon), text);
}

function shownCard(card) {
  const place = card.place ? el("span", { class: "place" }, "= ", ...withPips(card.place)) : null;
  return el("span", { class: "placed" }, el("span", { class: cardClass(card.code) }, ...face(card.code, card.back, JOKER)), place);
}

function sheet(address) {
  const link = (form, text, style) =>
    el("a", { class: `button ${style}`, href: `${address}.${form}`, target: "_blank", rel: "noopener" }, text);
  return el(
    "div",
    { class: "row lead", role: "group", "aria-label": words.book_print },
    link("pdf", words.book_print_pdf, "primary"),
    link("png", words.book_print_png, "plain"),
  );
}

/** Where to read on: topics in a list, answers side by side, and the index at the end. */
function leads(rows, press) {
  const nodes = [];
  let topics = null;
  for (const row of rows) {
    if (row.length > 1) {
      topics = null;
      nodes.push(el("div", { class: "row lead" }, ...row.map((choice) => button(choice, press))));
    } else if (isIndex(row[0])) {
      topics = null;
      nodes.push(el("div", { class: "lead" }, button(row[0], press, "index")));
    } else if (row[0].style !== "plain") {
      topics = null;
      nodes.push(el("div", { class: "row lead" }, button(row[0], press)));
    } else {
      if (topics === null) {
        topics = el("div", { class: "topics lead" });
        nodes.push(topics);
      }
      topics.append(button(row[0], press, "topic"));
    }
  }
  for (const node of nodes) {
    if (node.classList.contains("topics")) node.classList.toggle("short", [...node.children].every(isShort));
  }
  return nodes;
}

function isIndex(choice) {
  const { verb, rest } = partsOf(choice.token);
  return verb === "ix" && rest.length === 0;
}

function isShort(node) {
  return node.textContent.length <= LONGEST_SHORT;
}
