// The dialog over a page in which something is read, and files that a press brings.

import { label } from "./cards.js";
import { byId, el } from "./dom.js";
import { readingParts } from "./reading.js";

const PICTURE_MS = 4000;

let shown = 0;

/** Show something to read; ``press`` is called with the token of a tapped button, ``leads`` stand before all. */
export async function showReading(reading, press, leads = []) {
  shown += 1;
  const number = shown;
  // The picture first, so that the page does not jump under the finger.
  const image = await drawn(reading);
  if (number !== shown) return;
  const dialog = byId("reading");
  label(byId("reading-title"), reading.title);
  byId("reading-body").replaceChildren(...leads, ...readingParts(reading, press, image));
  const again = dialog.open && dialog.dataset.picture && image;
  dialog.dataset.picture = image ? "yes" : "";
  if (!dialog.open) dialog.showModal();
  // Turning the pages of a deal leaves the picture where it is.
  if (!again) dialog.scrollTop = 0;
  byId("reading-title").focus({ preventScroll: true });
}

/** The picture of a reading, ready to be put in; null where there is none or it does not come. */
async function drawn(reading) {
  if (!reading.picture) return null;
  const image = el("img", { class: "drawn", alt: reading.words });
  image.src = reading.picture;
  const late = new Promise((resolve) => setTimeout(resolve, PICTURE_MS));
  try {
    await Promise.race([image.decode(), late]);
  } catch {
    return null;
  }
  return image.complete && image.naturalWidth > 0 ? image : null;
}

/** Fetch a file: the browser asks or keeps it, and the page stays. */
export function fetchFile(address) {
  const link = el("a", { href: address, download: true, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
}

byId("reading").addEventListener("click", (event) => {
  if (event.target === byId("reading")) byId("reading").close();
});
