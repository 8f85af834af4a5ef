"""The catalogue template: every text that players read, taken from the source. ``python -m bot.catalogues`` renews it.

Translators copy ``data/locales/buraco.pot``; the test suite fails while it is stale.
"""

import io
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from bot.texts import DOMAIN

ROOT: Final = Path(__file__).resolve().parent.parent
TEMPLATE: Final = ROOT / "data" / "locales" / f"{DOMAIN}.pot"
_SOURCES: Final = ("bot",)
_KEYWORDS: Final = {"_": None, "gettext": None, "ngettext": (1, 2)}


def template() -> bytes:
    """The template as the source has it now. No line numbers and no dates: it changes only with the texts."""
    catalogue = Catalog(project=DOMAIN, charset="utf-8")
    for folder in _SOURCES:
        found = extract_from_dir(str(ROOT / folder), [("**.py", "python")], keywords=_KEYWORDS)
        for name, _line, message, _comments, _context in sorted(found, key=lambda entry: (entry[0], entry[1])):
            catalogue.add(message, locations=[(f"{folder}/{Path(name).as_posix()}", 0)])
    stream = io.BytesIO()
    write_po(stream, catalogue, omit_header=True, include_lineno=False, sort_output=False, width=110)
    return stream.getvalue()


if __name__ == "__main__":
    TEMPLATE.write_bytes(template())
