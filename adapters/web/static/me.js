// What visitors see of themselves and of the room: buttons on the first page, answers in the dialog over it.

import { send } from "./api.js";
import { button } from "./buttons.js";
import { byId, show, toast } from "./dom.js";
import { fetchFile, showReading } from "./dialog.js";

let pressing = false;

/** Draw the buttons; without any, the visitor has no name yet. */
export function drawMe(choices) {
  show(byId("me"), choices.length > 0);
  byId("me-list").replaceChildren(...choices.map((choice) => button(choice, press)));
}

async function press(token) {
  if (pressing) return;
  pressing = true;
  try {
    const answer = await send("/api/lectura/pulsar", { token });
    if (answer.reading) await showReading(answer.reading, press);
    if (answer.file) fetchFile(answer.file);
    toast(answer.text, answer.ok);
  } finally {
    pressing = false;
  }
}
