"""The pages' files: HTML with its words filled in, scripts, styles and fonts, all from installed packages."""

import hashlib
import html
import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from string import Template
from typing import Final

import msgspec

from bot.texts import Texts

_TYPES: Final = {
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "ttf": "font/ttf",
}
_FONT_PACKAGE: Final = "fontpkg_barlow_semi_condensed"
_FONTS: Final = ("BarlowSemiCondensed-Medium.ttf", "BarlowSemiCondensed-Bold.ttf")


class Asset(msgspec.Struct, frozen=True):
    """A file as it is served."""

    body: bytes
    content_type: str
    etag: str


class Assets:
    """Everything static, read once."""

    def __init__(self, words: Callable[[Texts], Mapping[str, str]]) -> None:
        """``words`` are filled into the pages; the scripts get them as data."""
        self._words = words
        folder = files("adapters.web") / "static"
        self.files: dict[str, Asset] = {}
        self._sources: dict[str, str] = {}
        self._pages: dict[tuple[str, str], str] = {}
        for entry in folder.iterdir():
            kind = entry.name.rpartition(".")[2]
            if kind == "html":
                self._sources[entry.name] = entry.read_text(encoding="utf-8")
            elif kind in _TYPES:
                self.files[entry.name] = _asset(entry.read_bytes(), kind)
        for name in _FONTS:
            try:
                self.files[name] = _asset(files(_FONT_PACKAGE).joinpath("files", name).read_bytes(), "ttf")
            except (ModuleNotFoundError, FileNotFoundError):
                continue  # the style sheet names system fonts to fall back on

    def page(self, name: str, t: Texts) -> str:
        """A page in a language."""
        if (t.locale, name) not in self._pages:
            words = self._words(t)
            values = {key: html.escape(text) for key, text in words.items()}
            # A data block, not a script: it cannot run, and "<" is written so that nothing in it can close the block.
            values["words_json"] = json.dumps(dict(words), ensure_ascii=False).replace("<", "\\u003c")
            self._pages[t.locale, name] = Template(self._sources[name]).substitute(values)
        return self._pages[t.locale, name]


def _asset(body: bytes, kind: str) -> Asset:
    return Asset(body, _TYPES[kind], hashlib.sha256(body).hexdigest()[:32])
