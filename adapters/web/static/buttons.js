// Buttons made from choices. One that is off still answers a tap: it says why.

import { el, toast } from "./dom.js";
import { label } from "./cards.js";

/** A button; ``press`` is called with its token. */
export function button(choice, press, extra = "") {
  const node = el("button", { type: "button", class: `button ${choice.style} ${extra}`.trim() });
  node.dataset.focus = choice.label;
  label(node, choice.label);
  dress(node, choice.enabled ? "" : choice.why || choice.label);
  node.addEventListener("click", () => {
    if (node.getAttribute("aria-disabled") === "true") toast(node.title, false);
    else press(choice.token);
  });
  return node;
}

/** Turn a button off, saying why, or on where there is no reason. */
export function dress(node, why) {
  if (why) {
    node.setAttribute("aria-disabled", "true");
    node.title = why;
  } else {
    node.removeAttribute("aria-disabled");
    node.removeAttribute("title");
  }
}

/** Rows of buttons: rows of one are set side by side where they fit. */
export function rows(choiceRows, press) {
  const nodes = [];
  let loose = null;
  for (const row of choiceRows) {
    if (row.length > 1) {
      loose = null;
      nodes.push(el("div", { class: "row" }, ...row.map((choice) => button(choice, press))));
      continue;
    }
    if (loose === null) {
      loose = el("div", { class: "row loose" });
      nodes.push(loose);
    }
    loose.append(button(row[0], press));
  }
  return nodes;
}
