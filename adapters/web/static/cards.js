// Cards and labels, drawn like those of the pictures: rank over pip, four colours, wilds in lilac, the back at the foot.

import { el, words } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const FOOT = "M53 58L54 70C55 86 62 95 74 99L26 99C38 95 45 86 46 70L47 58Z";
const PIPS = {
  s: `M50 0C62 20 100 36 100 61C100 76 90 84 78 84C66 84 56 77 50 66C44 77 34 84 22 84C10 84 0 76 0 61C0 36 38 20 50 0Z${FOOT}`,
  h: "M50 26C56 11 66 5 77 5C90 5 100 15 100 32C100 58 68 76 50 98C32 76 0 58 0 32C0 15 10 5 23 5C34 5 44 11 50 26Z",
  d: "M50 0C60 19 74 37 90 50C74 63 60 81 50 100C40 81 26 63 10 50C26 37 40 19 50 0Z",
  c: `M26.5 24.5a23.5 23.5 0 1 1 47 0a23.5 23.5 0 1 1-47 0ZM0 60a23.5 23.5 0 1 1 47 0a23.5 23.5 0 1 1-47 0ZM53 60a23.5 23.5 0 1 1 47 0a23.5 23.5 0 1 1-47 0ZM42 40L58 40L62 66L38 66Z${FOOT}`,
  tick: "M8 54L22 40L41 59L79 17L93 31L41 87Z",
  cross: "M50 37L79 8L92 21L63 50L92 79L79 92L50 63L21 92L8 79L37 50L8 21L21 8Z",
  cap: "M50 12L100 37L50 62L0 37ZM20 54L50 69L80 54V73C66 88 34 88 20 73ZM90 46L96 43V76H90Z",
  star: "M50 1L63.2 35.3L99.9 37.3L71.4 60.5L80.9 96L50 76L19.1 96L28.6 60.5L.1 37.3L36.8 35.3Z",
};
const SIGNS = { "♠": "s", "♥": "h", "♦": "d", "♣": "c" };

export function pip(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("class", "pip");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PIPS[name]);
  svg.append(path);
  return svg;
}

/** The inside of a text with cards in it: "Bajar 7♥ 8♥" with drawn pips in their colours. */
export function withPips(text) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(/(\(?)(10|[2-9AJQK])?([♠♥♦♣])([,.;:)»?!]*)/gu)) {
    parts.push(text.slice(from, match.index));
    const [, before, rank, suit, after] = match;
    const card = el("span", { class: `inline ${SIGNS[suit]}` }, rank ?? "", pip(SIGNS[suit]));
    // What follows stays on the card's line, and so does a bracket before it.
    parts.push(before || after ? el("span", { class: "together-with" }, before, card, after) : card);
    from = match.index + match[0].length;
  }
  parts.push(text.slice(from));
  return parts.filter((part) => part !== "");
}

/** Put a text with cards in it into an element; screen readers hear the text as it stands. */
export function label(node, text) {
  node.replaceChildren(...withPips(text));
  if (/[♠♥♦♣]/u.test(text)) node.setAttribute("aria-label", text);
  else node.removeAttribute("aria-label");
  return node;
}

export function isWild(code) {
  return code === "JK" || code[0] === "2";
}

/** What a card looks like: the inside of its button. */
export function face(code, back, joker) {
  const bars = el("span", { class: `bars back${back}` });
  for (let i = 0; i <= back; i += 1) bars.append(el("i"));
  if (code === "JK") return [pip("star"), el("span", { class: "jkr" }, joker), bars];
  const rank = code[0] === "T" ? "10" : code[0];
  return [el("span", { class: "rank" }, rank), pip(code[1]), bars];
}

/** A card in a text: "10♥". */
export function sign(code, joker) {
  if (code === "JK") return joker;
  const suit = Object.keys(SIGNS).find((one) => SIGNS[one] === code[1]);
  return `${code[0] === "T" ? "10" : code[0]}${suit}`;
}

export function cardClass(code) {
  return ["card", code === "JK" ? "jk" : code[1], isWild(code) ? "wild" : ""].filter(Boolean).join(" ");
}

export function cardName(card) {
  const parts = [card.label, words[`back${card.back}`]];
  if (card.new) parts.push(words.new);
  return parts.filter(Boolean).join(", ");
}
