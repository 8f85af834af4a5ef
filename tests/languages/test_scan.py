"""No text for players stands outside the catalogues: adapters, pictures and the pages of the browser room."""

import ast
import re
from pathlib import Path

import pytest

from tests.bot.presenter.test_words import _SPANISH, _literals

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(path for name in ("adapters", "render") for path in (ROOT / name).rglob("*.py"))
PAGES = sorted(path for kind in ("html", "js") for path in (ROOT / "adapters/web/static").glob(f"*.{kind}"))
_ADDRESS = re.compile(r"[a-z_:{}\[\]0-9,.$/|-]*(/|\{)[\w:{}\[\]0-9,.$/|=?&-]*")
_KEYS = frozenset({"mano", "mesa", "buraco", "un", "en", "de", "el", "se", "mesa.png", "mano.png"})
"""Commands, files and verbs of tokens, as programs write them."""


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_spanish_stands_outside_the_catalogues(path: Path) -> None:
    found = [
        f"{line}: {text!r}"
        for line, text in _literals(ast.parse(path.read_text(encoding="utf-8")))
        if _SPANISH.search(text) and text not in _KEYS and not _ADDRESS.fullmatch(text)
    ]
    assert found == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_pages_get_their_words_from_the_catalogues(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    # Comments and what is looked up by name are not read by anybody.
    text = re.sub(r"/\*.*?\*/|(?m:^\s*//.*$)|<!--.*?-->", "", text, flags=re.DOTALL)
    shown = (
        re.findall(r">([^<>${}]*[a-zA-Z][^<>${}]*)<", text)
        if path.suffix == ".html"
        else re.findall(r'"([^"]*)"', text)
    )
    assert [
        words for words in shown if re.search(r"[áéíóúñ¿¡]", words) or (path.suffix == ".html" and words.strip())
    ] == []
