"""Making choices: a label and the token that carries the whole intent."""

from bot.screens import Choice, PickVerb, Style
from bot.tokens import Intent, Verb, write_token


def choice(
    label: str,
    table_id: str,
    version: int,
    verb: Verb,
    *arguments: str,
    style: Style = Style.PLAIN,
    why: str = "",
    confirmed: bool = False,
) -> Choice:
    """A button; ``why`` disables it and says why."""
    intent = Intent(table_id, version, verb, arguments, confirmed=confirmed)
    return Choice(label, write_token(intent), style, enabled=not why, why=why)


def pick_verb(
    label: str, table_id: str, version: int, verb: Verb, least: int, most: int, *, style: Style, why: str = ""
) -> PickVerb:
    """Something to do with picked cards; the mask is put behind its token."""
    token = write_token(Intent(table_id, version, verb))
    return PickVerb(label, token, least, most, style, enabled=not why, why=why)
