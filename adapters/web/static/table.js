// The public side of a room: the picture with its words, the lobby, the result and the last plays.

import { rows } from "./buttons.js";
import { label } from "./cards.js";
import { byId, el, renew, show, words } from "./dom.js";

const PICTURE_MS = 6000;
const AGAIN_MS = 4000;

/** How long the turn still lasts, counted down by itself between two states. */
export class Clock {
  constructor() {
    this.node = byId("clock");
    this.until = null;
    setInterval(() => this.draw(), 1000);
  }

  update(table) {
    this.until = table.left_ms === null ? null : performance.now() + table.left_ms;
    this.draw();
  }

  draw() {
    show(this.node, this.until !== null);
    if (this.until === null) return;
    const seconds = Math.max(0, Math.round((this.until - performance.now()) / 1000));
    const hours = Math.floor(seconds / 3600);
    const minutes = Math.floor(seconds / 60) % 60;
    const parts = hours ? [hours, minutes] : [minutes, seconds % 60];
    const told = `${parts[0]}:${String(parts[1]).padStart(2, "0")}${hours ? " h" : ""}`;
    this.node.textContent = words.left.replace("{time}", told);
    this.node.classList.toggle("late", seconds <= 15);
  }
}

/** The picture of the table: the next one is fetched behind the one in view. */
export class Picture {
  constructor(code) {
    this.code = code;
    this.image = byId("picture");
    this.wanted = -1;
    this.shown = -1;
    this.words = "";
    this.timer = 0;
    byId("retry").addEventListener("click", () => this.fetch());
  }

  update(table) {
    show(byId("details"), table.picture);
    if (!table.picture) {
      this.wanted = -1;
      show(this.image, false);
      show(byId("failed"), false);
      return;
    }
    this.words = table.words;
    label(byId("words-text"), table.words);
    if (table.version === this.wanted) return;
    this.wanted = table.version;
    this.fetch();
  }

  fetch() {
    clearTimeout(this.timer);
    const version = this.wanted;
    const words = this.words;
    const next = new Image();
    const late = setTimeout(() => this.fail(version), PICTURE_MS);
    next.onload = () => {
      clearTimeout(late);
      if (version < this.shown) return;
      this.shown = version;
      this.image.src = next.src;
      this.image.width = next.naturalWidth;
      this.image.height = next.naturalHeight;
      this.image.alt = words;
      show(this.image, true);
      show(byId("failed"), false);
      show(byId("loading"), false);
    };
    next.onerror = () => {
      clearTimeout(late);
      this.fail(version);
    };
    next.src = `/mesa/${this.code}/tabla.png?v=${version}`;
  }

  /** No picture: its words stand in for it, and it is asked for again. */
  fail(version) {
    if (version !== this.wanted) return;
    label(byId("failed-words"), this.words);
    show(byId("failed"), true);
    show(this.image, false);
    show(byId("loading"), false);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fetch(), AGAIN_MS);
  }
}

/** The lobby, or a table at which nothing can be done any more. */
export function drawLobby(root, state, room) {
  const table = state.public;
  const visible = table.role === "lobby" || table.role === "note";
  show(root, visible);
  if (!visible) return;
  const key = JSON.stringify([table.title, table.lines, table.rows, state.join, state.name]);
  renew(root, key, () => {
    const told = table.lines.filter((line) => !isSeat(line));
    const seats = table.lines.filter(isSeat);
    const lines = told.map((line) => el("p", {}, line));
    if (table.role !== "lobby") return [...lines, el("a", { class: "button primary", href: "/" }, words.another)];
    return [
      el("ul", { class: "seats" }, ...seats.map((line) => el("li", {}, line))),
      ...(state.join ? [joinForm(state, room)] : []),
      ...rows(byWeight(table.rows), room.press),
      invitation(room),
      el("div", { class: "told" }, ...lines),
    ];
  });
}

/** Rows that lead on first, and last those that only lead away. */
function byWeight(choiceRows) {
  const weight = (row) => {
    const styles = row.map((choice) => choice.style);
    if (styles.includes("good") || styles.includes("primary")) return 0;
    return styles.every((style) => style === "danger") ? 2 : 1;
  };
  return choiceRows.toSorted((one, other) => weight(one) - weight(other));
}

function isSeat(line) {
  return /^\d+\. /.test(line);
}

function joinForm(state, room) {
  const input = el("input", { name: "name", maxlength: "40", autocomplete: "nickname", required: true });
  input.dataset.focus = "name";
  input.value = state.name;
  const sit = el("button", { class: "button primary" }, state.join.label);
  if (!state.join.enabled) {
    sit.setAttribute("aria-disabled", "true");
    sit.title = state.join.why;
  }
  const form = el(
    "form",
    { class: "join", autocomplete: "off", novalidate: true },
    el("h3", {}, words.join_title),
    el("div", { class: "together" }, el("label", { class: "field" }, el("span", {}, words.name), input), sit),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (state.join.enabled) room.join(input.value);
    else room.tell(state.join.why);
  });
  return form;
}

function invitation(room) {
  return el(
    "div",
    { class: "invitation" },
    el("span", {}, words.invite),
    el("output", { class: "link" }, room.link()),
    el("button", { type: "button", class: "button", onclick: () => room.invite() }, words.copy),
  );
}

/** How a deal ended, or a warning while it goes on; and what everybody may press then. */
export function drawResult(root, state, room) {
  const table = state.public;
  const visible = table.role === "table" && (table.lines.length > 0 || table.rows.length > 0);
  show(root, visible);
  if (!table.over) root.classList.remove("over");
  if (!visible) return;
  const ends = table.over && !root.classList.contains("over");
  root.classList.toggle("over", table.over);
  renew(root, JSON.stringify([table.headline, table.lines, table.rows, table.over]), () => {
    const parts = table.over ? [el("h2", {}, table.headline)] : [];
    parts.push(...table.lines.map((line) => label(el("p", {}), line)), ...rows(table.rows, room.press));
    if (table.won) parts.push(el("a", { class: "button primary", href: "/" }, words.another));
    return parts;
  });
  if (ends) root.scrollIntoView({ block: "nearest" });
}

export function drawFeed(state) {
  show(byId("plays"), state.feed.length > 0);
  renew(byId("feed"), state.feed.join("\n"), () => state.feed.map((line) => label(el("li", {}), line)));
}
