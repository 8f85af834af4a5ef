// House rules: what a table may change of its rule set, each choice told as the rule that it makes.

import { read } from "./api.js";
import { el, toast, words } from "./dom.js";

export class House {
  constructor(root) {
    this.root = root;
    this.rules = "";
    this.body = el("div", { class: "house" });
    this.fold = el("details", { class: "fold" }, el("summary", {}, words.house), this.body);
    this.fold.addEventListener("toggle", () => this.fold.open && this.load());
    root.replaceChildren(this.fold);
  }

  /** Another rule set has been chosen: its own rules are what may be changed now. */
  choose(rules) {
    if (rules === this.rules) return;
    this.rules = rules;
    this.body.replaceChildren();
    if (this.fold.open) this.load();
  }

  async load() {
    const rules = this.rules;
    if (this.body.childElementCount > 0 || !rules) return;
    const answer = await read(`/api/reglas/${rules}`);
    if (rules !== this.rules) return;
    if (!answer.ok) {
      toast(answer.text ?? words.not_sent, false);
      this.fold.open = false;
      return;
    }
    const sections = groupBy(answer.rules);
    this.body.replaceChildren(
      ...[...sections].map(([section, some]) =>
        el("fieldset", {}, el("legend", {}, section), ...some.map((rule) => this.choice(rule))),
      ),
    );
  }

  choice(rule) {
    const options = rule.values.map((one) => el("option", { value: one.value }, one.text));
    const select = el("select", {}, ...options);
    select.dataset.field = rule.field;
    select.addEventListener("change", () => select.classList.toggle("changed", select.selectedIndex > 0));
    return el("label", { class: "field" }, el("span", {}, rule.label), select);
  }

  /** What has been changed, by field. */
  get options() {
    const changed = [...this.body.querySelectorAll("select")].filter((select) => select.selectedIndex > 0);
    return Object.fromEntries(changed.map((select) => [select.dataset.field, JSON.parse(select.value)]));
  }
}

function groupBy(rules) {
  const sections = new Map();
  for (const rule of rules) sections.set(rule.section, [...(sections.get(rule.section) ?? []), rule]);
  return sections;
}
