"""The catalogues: every text that players read. ``python -m bot.catalogues`` brings them up to date with the source.

The template is taken from the source and merged into each catalogue: translations stay, new texts are added without
one, texts that are gone go. Then it is told what each language lacks. The test suite fails while a file is stale.
"""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import typer
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from bot.texts import DOMAIN, SOURCE_LOCALE, languages

ROOT: Final = Path(__file__).resolve().parent.parent
LOCALES: Final = ROOT / "data" / "locales"
TEMPLATE: Final = LOCALES / f"{DOMAIN}.pot"
REGIONAL: Final = frozenset({"es_AR"})
"""Catalogues that hold only what they say otherwise than their parent."""
PLURALS: Final = {"pt_BR": "nplurals=2; plural=(n > 1);"}
"""Plural forms, where they are not «one» and «other»: a card table counts no millions, for which CLDR has a third."""
_USUAL_PLURALS: Final = "nplurals=2; plural=(n != 1);"
_SOURCES: Final = ("bot",)
_KEYWORDS: Final[dict[str, tuple[int | tuple[int, str], ...] | None]] = {
    "_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "_p": ((1, "c"), 2),
}
_COMMENTS: Final = ("i18n:",)
_WIDTH: Final = 110


def extracted() -> Catalog:
    """The texts of the source as it is now."""
    catalogue = Catalog(project=DOMAIN, charset="utf-8", fuzzy=False)
    for folder in _SOURCES:
        found = extract_from_dir(
            str(ROOT / folder),
            [("**.py", "python")],
            keywords=_KEYWORDS,
            comment_tags=_COMMENTS,
            strip_comment_tags=True,
        )
        for name, _line, message, comments, context in sorted(found, key=lambda entry: (entry[0], entry[1])):
            where = [(f"{folder}/{Path(name).as_posix()}", 0)]
            catalogue.add(message, locations=where, auto_comments=comments, context=context)
    return catalogue


def template() -> bytes:
    """The template as the source has it now. No line numbers and no dates: it changes only with the texts."""
    return _written(extracted(), header=False)


def path_of(locale: str) -> Path:
    """Where a language's catalogue lies."""
    return LOCALES / locale / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(locale: str) -> Catalog:
    """A language's catalogue as it is committed."""
    with path_of(locale).open("rb") as stream:
        return read_po(stream, locale=locale)


def merged(locale: str, source: Catalog) -> Catalog:
    """A language's catalogue with the texts of the source: what it says of them stays.

    A text that has got a context takes its old translation along, marked as fuzzy: somebody has to look at it.
    """
    before = read(locale)
    plain = {message.id: message.string for message in before if message.id and not message.context}
    result = Catalog(locale=locale, domain=DOMAIN, project=DOMAIN, charset="utf-8", fuzzy=False)
    result.mime_headers = [("Plural-Forms", PLURALS.get(locale, _USUAL_PLURALS))]
    for message in source:
        if not message.id:
            continue
        kept = before.get(_key(message), message.context)
        said, flags = ("", set()) if kept is None else (kept.string, set(kept.flags) & {"fuzzy"})
        if isinstance(said, tuple | list) and len(said) > result.num_plurals:
            said = (said[0], said[-1])
        if kept is None and message.context and message.id in plain:
            said, flags = plain[message.id], {"fuzzy"}
        if locale in REGIONAL and not _is_said(said):
            continue
        result.add(
            message.id,
            said,
            locations=message.locations,
            flags={*message.flags, *flags},
            auto_comments=message.auto_comments,
            user_comments=() if kept is None else kept.user_comments,
            context=message.context,
        )
    return result


def _key(message: Message) -> str:
    return message.id[0] if isinstance(message.id, tuple | list) else message.id


def _is_said(said: str | Sequence[str] | None) -> bool:
    return bool(said) and (isinstance(said, str) or all(said or ()))


def untranslated(catalogue: Catalog) -> Iterator[Message]:
    """What a catalogue does not say, in one of its plural forms or at all, or only doubtfully (fuzzy)."""
    for message in catalogue:
        if message.id and (message.fuzzy or not _is_said(message.string)):
            yield message


def written(catalogue: Catalog) -> bytes:
    """A catalogue as it is committed."""
    return _written(catalogue, header=True)


def _written(catalogue: Catalog, *, header: bool) -> bytes:
    stream = io.BytesIO()
    write_po(stream, catalogue, omit_header=True, include_lineno=False, sort_output=False, width=_WIDTH)
    body = stream.getvalue()
    if not header:
        return body
    head = (
        'msgid ""\nmsgstr ""\n'
        f'"Language: {catalogue.locale}\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n'
        '"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Plural-Forms: {catalogue.plural_forms}\\n"\n\n'
    )
    return head.encode() + body


def main() -> None:
    """Renew the template and the catalogues, and tell what is missing."""
    source = extracted()
    TEMPLATE.write_bytes(_written(source, header=False))
    for locale in languages():
        if locale == SOURCE_LOCALE:
            continue
        catalogue = merged(locale, source)
        path_of(locale).write_bytes(written(catalogue))
        lacking = [message.context or _key(message) for message in untranslated(catalogue)]
        typer.echo(f"{locale}: {len(catalogue)} texts, {len(lacking)} to translate")
        for text in lacking[:10]:
            typer.echo(f"  {text}")


if __name__ == "__main__":
    main()
