// Small helpers. Text always goes in as text, never as markup.

export const words = JSON.parse(document.getElementById("words").textContent);

export function byId(id) {
  return document.getElementById(id);
}

/** A new element: properties, then children (nodes or texts; empty ones are left out). */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") node.className = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

/** A sentence with its gaps filled: fill("Soltar ({count})", {count: 3}). */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (gap, name) => (name in values ? String(values[name]) : gap));
}

export function show(node, visible) {
  node.hidden = !visible;
}

/** Replace the children only where they differ in what can be seen, so that focus and scroll stay. */
export function renew(node, key, make) {
  if (node.dataset.shown === key) return;
  const focused = node.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
  node.dataset.shown = key;
  node.replaceChildren(...make());
  if (focused !== undefined) node.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
}

const GOOD_MS = 2500;
const BAD_MS = 6000;
const MORE_MS = 12000;

/** A short notice that goes away by itself or when it is tapped; ``more`` (a label and what to do) is a button in it. */
export function toast(text, good = true, more = null) {
  if (!text) return;
  // An open dialog lies over everything that is not in it.
  const box = document.querySelector("dialog[open] .toasts") ?? byId("toasts");
  const kind = good ? "toast" : "toast bad";
  const note = more ? el("div", { class: `${kind} with-more` }) : el("button", { class: kind, type: "button" }, text);
  const away = () => note.remove();
  if (more) {
    const act = () => {
      away();
      more.act();
    };
    note.append(
      el("button", { type: "button", class: "toast-text", onclick: away }, text),
      el("button", { type: "button", class: "button", onclick: act }, more.label),
    );
  } else {
    note.addEventListener("click", away);
  }
  box.replaceChildren(note);
  setTimeout(away, more ? MORE_MS : good ? GOOD_MS : BAD_MS);
}

/** Put a text on the clipboard; where the browser forbids it, show it for copying by hand. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el("textarea", { class: "unseen", readonly: true, "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
