// The private hand: cards to pick, suggestions of one tap, and what may be done with the picked cards.

import { button, dress, rows } from "./buttons.js";
import { cardClass, cardName, face, label, pip } from "./cards.js";
import { el, fill, renew, show, toast, words } from "./dom.js";

const LESSON = "🎓 ";

/** The lines beside a hand; what explains a guided deal stands out from the rest. */
function statusLines(lines) {
  const told = lines.filter((line) => line.startsWith(LESSON));
  const others = lines.filter((line) => !line.startsWith(LESSON)).map((line) => label(el("p"), line));
  if (told.length === 0) return others;
  const text = el("div", {}, ...told.map((line) => label(el("p"), line.slice(LESSON.length))));
  return [el("div", { class: "lesson" }, pip("cap"), text), ...others];
}

export class Hand {
  constructor(root, press) {
    this.root = root;
    this.press = press;
    this.picked = new Set();
    this.hand = null;
    this.drop = el("button", { type: "button", class: "tool", onclick: () => this.unpick() });
    this.heading = el("h2", { tabindex: "-1" });
    this.sort = el("div", { class: "tools" });
    this.looks = el("div", { class: "tools looks" });
    this.status = el("div", { class: "status", role: "status", "aria-live": "polite" });
    this.cards = el("div", { class: "cards", role: "group", "aria-label": words.hand });
    this.ideas = el("div", { class: "ideas" });
    this.question = el("div", { class: "question", role: "group", tabindex: "-1" });
    this.main = el("div", { class: "main-row" });
    this.verbs = el("div", { class: "row verbs" });
    this.actions = el("div", { class: "actions" }, this.main, this.verbs);
    this.cards.addEventListener("keydown", (event) => this.walk(event));
    root.append(
      el("div", { class: "hand-head" }, this.heading, this.drop, this.sort),
      this.status,
      this.cards,
      this.question,
      this.ideas,
      this.actions,
      this.looks,
    );
  }

  /** Show a hand, and a question in place of its buttons where one has to be answered first. */
  update(hand, question, over) {
    const within = this.root.contains(document.activeElement);
    this.hand = hand;
    this.root.classList.toggle("over", over);
    const taught = hand?.lines.some((line) => line.startsWith(LESSON));
    show(this.root, hand !== null && (hand.cards.length > 0 || taught || !over || hand.active));
    if (hand === null) return;
    this.root.classList.toggle("active", hand.active);
    this.root.classList.toggle("asking", question !== null);
    this.root.dataset.suits = hand.suits;
    this.heading.textContent = hand.heading;
    renew(this.status, hand.lines.join("\n"), () => statusLines(hand.lines));
    this.drawTools(this.sort, hand, "sort");
    this.drawTools(this.looks, hand, "look");
    this.drawCards(hand, question !== null);
    this.drawQuestion(question);
    this.drawButtons(hand);
    this.count();
    // Whoever uses the keyboard goes on from the hand when the button that they pressed has gone.
    if (within && !this.root.contains(document.activeElement)) this.heading.focus({ preventScroll: true });
  }

  drawTools(node, hand, slot) {
    const tools = hand.rows.flat().filter((choice) => choice.slot === slot);
    renew(node, JSON.stringify(tools), () => tools.map((tool) => button(tool, this.press, "tool")));
  }

  drawCards(hand, asking) {
    const known = new Map([...this.cards.children].map((node) => [node.dataset.key, node]));
    const twins = new Map();
    const nodes = [];
    for (const [i, card] of hand.cards.entries()) {
      const own = `${card.code}${card.back}`;
      const twin = twins.get(own) ?? 0;
      twins.set(own, twin + 1);
      const key = `${own}.${twin}`;
      const node = known.get(key) ?? this.makeCard(card, key, hand.joker);
      node.className = cardClass(card.code);
      node.classList.toggle("fresh", card.new);
      node.classList.toggle("tail", hand.cards[i + 1]?.group !== card.group);
      node.title = card.keep ? `${cardName(card)}. ${card.keep}` : cardName(card);
      node.setAttribute("aria-label", node.title);
      node.dataset.bit = String(card.bit);
      node.disabled = asking;
      nodes.push(node);
    }
    const focused = document.activeElement;
    const same = nodes.length === this.cards.children.length && nodes.every((node, i) => node === this.cards.children[i]);
    if (!same) this.cards.replaceChildren(...nodes);
    if (nodes.includes(focused)) focused.focus();
    const keys = new Set(nodes.map((node) => node.dataset.key));
    for (const key of this.picked) if (!keys.has(key)) this.picked.delete(key);
    this.roving();
  }

  makeCard(card, key, joker) {
    const node = el("button", { type: "button", tabindex: "-1" }, ...face(card.code, card.back, joker));
    node.dataset.key = key;
    node.addEventListener("click", () => {
      if (!this.picked.delete(key)) this.picked.add(key);
      this.count();
    });
    return node;
  }

  drawQuestion(question) {
    show(this.question, question !== null);
    if (question === null) {
      this.question.dataset.shown = "";
      return;
    }
    const key = JSON.stringify(question);
    if (this.question.dataset.shown === key) return;
    renew(this.question, key, () => [el("h3", { id: "question-title" }, question.title), ...rows(question.rows, (token) => this.pressPicked(token))]);
    this.question.setAttribute("aria-labelledby", "question-title");
    this.question.focus({ preventScroll: true });
    this.question.scrollIntoView({ block: "nearest" });
  }

  drawButtons(hand) {
    const own = hand.rows.map((row) => row.filter((choice) => choice.slot === "")).filter((row) => row.length > 0);
    const main = own.filter((row) => row.some((choice) => choice.style === "primary"));
    const ideas = own.filter((row) => !main.includes(row));
    renew(this.ideas, JSON.stringify(ideas), () => rows(ideas, this.press));
    renew(this.main, JSON.stringify(main), () => rows(main, this.press));
    renew(this.verbs, JSON.stringify(hand.verbs), () => hand.verbs.map((verb) => this.makeVerb(verb)));
  }

  makeVerb(verb) {
    const node = el("button", { type: "button", class: `button ${verb.style}` });
    node.dataset.focus = verb.label;
    node.addEventListener("click", () => {
      const why = this.whyNot(verb);
      if (why) toast(why, false);
      else this.pressPicked(`${verb.token}:${this.mask()}`);
    });
    return node;
  }

  /** A press that uses up the picked cards: once it is done, none stays picked, nor the twin of one. */
  async pressPicked(token) {
    if (await this.press(token)) this.unpick();
  }

  /** Bring the picked cards and everything that depends on their number up to date. */
  count() {
    for (const node of this.cards.children) {
      node.setAttribute("aria-pressed", String(this.picked.has(node.dataset.key)));
    }
    const picked = this.picked.size;
    show(this.drop, picked > 0);
    show(this.sort, picked === 0);
    this.drop.textContent = fill(words.drop, { count: picked });
    this.hand.verbs.forEach((verb, i) => {
      const node = this.verbs.children[i];
      const why = this.whyNot(verb);
      node.textContent = picked && !why ? `${verb.label} (${picked})` : verb.label;
      dress(node, why);
    });
  }

  whyNot(verb) {
    const picked = this.picked.size;
    if (!verb.enabled) return verb.why;
    if (picked < verb.least) return fill(verb.least === 1 ? words.least_one : words.least_many, { count: verb.least });
    if (picked > verb.most) return fill(verb.most === 1 ? words.most_one : words.most_many, { count: verb.most });
    return "";
  }

  /** The picked cards as the number whose bits they are, in base 36. */
  mask() {
    let bits = 0n;
    for (const node of this.cards.children) {
      if (this.picked.has(node.dataset.key)) bits |= 1n << BigInt(node.dataset.bit);
    }
    return bits.toString(36);
  }

  unpick() {
    this.picked.clear();
    if (this.hand !== null) this.count();
  }

  /** One card at a time is in the order of the tabulator; arrows go to the others. */
  roving() {
    const nodes = [...this.cards.children];
    const at = nodes.find((node) => node === document.activeElement) ?? nodes.find((node) => node.tabIndex === 0);
    for (const node of nodes) node.tabIndex = -1;
    const first = at ?? nodes[0];
    if (first) first.tabIndex = 0;
  }

  walk(event) {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    const nodes = [...this.cards.children];
    const at = nodes.indexOf(document.activeElement);
    if (at < 0) return;
    let to = -1;
    if (event.key in steps) to = (at + steps[event.key] + nodes.length) % nodes.length;
    else if (event.key === "Home") to = 0;
    else if (event.key === "End") to = nodes.length - 1;
    else if (event.key === "Escape") this.unpick();
    if (to < 0) return;
    event.preventDefault();
    nodes[to].focus();
    this.roving();
  }
}
