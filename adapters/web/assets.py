"""The pages' files: HTML with its words filled in, scripts, styles and fonts, all from installed packages."""

import hashlib
import html
import json
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from typing import Final

import msgspec

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

    def __init__(self, words: Mapping[str, str]) -> None:
        """Fill ``words`` into the pages; the scripts get them as data."""
        folder = files("adapters.web") / "static"
        self.files: dict[str, Asset] = {}
        pages: dict[str, str] = {}
        for entry in folder.iterdir():
            kind = entry.name.rpartition(".")[2]
            if kind == "html":
                pages[entry.name] = entry.read_text(encoding="utf-8")
            elif kind in _TYPES:
                self.files[entry.name] = _asset(entry.read_bytes(), kind)
        for name in _FONTS:
            try:
                self.files[name] = _asset(files(_FONT_PACKAGE).joinpath("files", name).read_bytes(), "ttf")
            except (ModuleNotFoundError, FileNotFoundError):
                continue  # the style sheet names system fonts to fall back on
        values = {name: html.escape(text) for name, text in words.items()}
        # A data block, not a script: it cannot run, and "<" is written so that nothing in it can close the block.
        values["words_json"] = json.dumps(dict(words), ensure_ascii=False).replace("<", "\\u003c")
        self._pages = {name: Template(text).substitute(values) for name, text in pages.items()}

    def page(self, name: str) -> str:
        """A page."""
        return self._pages[name]


def _asset(body: bytes, kind: str) -> Asset:
    return Asset(body, _TYPES[kind], hashlib.sha256(body).hexdigest()[:32])
