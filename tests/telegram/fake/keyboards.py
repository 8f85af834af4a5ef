"""Keyboards under messages, with the checks Telegram makes."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.telegram.fake.errors import ApiError, Json, bad

MAX_BUTTONS = 100
MAX_PER_ROW = 8
MAX_DATA_BYTES = 64
_STYLES = {"danger", "success", "primary"}
_ACTIONS = (
    "url",
    "callback_data",
    "web_app",
    "login_url",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat",
    "copy_text",
    "callback_game",
    "pay",
)
_EMPTY_ALLOWED = {"switch_inline_query", "switch_inline_query_current_chat", "switch_inline_query_chosen_chat"}
_HOST = re.compile(r"(?:[\w-]+\.)+[\w-]{2,}|localhost|(?:\d{1,3}\.){3}\d{1,3}", re.UNICODE)
START_PAYLOAD = re.compile(r"[A-Za-z0-9_-]{1,64}")


def inline_keyboard(markup: Any, *, private: bool) -> Json | None:
    """Check a reply markup; give the inline keyboard in it, or None when there is none (or an empty one)."""
    if not isinstance(markup, dict):
        raise bad("object expected as reply markup")
    if "inline_keyboard" not in markup:
        return None
    rows = markup["inline_keyboard"]
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise bad('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays')
    kept = [[_button(button, private=private) for button in row] for row in rows if row]
    if sum(map(len, kept)) > MAX_BUTTONS or any(len(row) > MAX_PER_ROW for row in kept):
        raise bad("reply markup is too long")
    return {"inline_keyboard": kept} if kept else None


def _button(button: Any, *, private: bool) -> Json:
    if not isinstance(button, dict):
        raise _wrong("Object expected")
    if not isinstance(button.get("text"), str):
        raise _wrong('Can\'t find field "text"')
    if not button["text"].strip():
        raise bad("inline keyboard button text must be non-empty")
    actions = [name for name in _ACTIONS if button.get(name) or (name in _EMPTY_ALLOWED and name in button)]
    if not actions:
        raise _wrong("Text buttons are unallowed in the inline keyboard")
    if len(actions) > 1:
        raise _wrong(f"exactly one action must be used, found {', '.join(actions)}")
    if button.get("style") is not None and button["style"] not in _STYLES:
        raise bad("invalid button style specified")
    _action(button, actions[0], private=private)
    return button


def _action(button: Json, action: str, *, private: bool) -> None:
    if action == "callback_data" and len(str(button["callback_data"]).encode()) > MAX_DATA_BYTES:
        raise bad("BUTTON_DATA_INVALID")
    if action == "url":
        check_url(str(button["url"]))
    if action == "copy_text" and not 1 <= len(button["copy_text"].get("text", "")) <= 256:
        raise bad("BUTTON_COPY_TEXT_INVALID")
    if action == "web_app" and not private:
        raise bad("BUTTON_TYPE_INVALID")


def _wrong(what: str) -> ApiError:
    return bad(f"can't parse inline keyboard button: {what}")


def check_url(url: str) -> None:
    """Refuse an address that a button may not have."""
    full = url if "://" in url else f"http://{url}"
    parts = urlsplit(full)
    if parts.scheme not in {"http", "https", "tg", "ton", "tonsite"}:
        raise bad(f"inline keyboard button URL '{url}' is invalid: Unsupported URL protocol")
    if parts.scheme in {"http", "https"} and (" " in url or not _HOST.fullmatch(parts.hostname or "")):
        raise bad(f"inline keyboard button URL '{url}' is invalid: Wrong HTTP URL")


def deep_link(url: str, username: str) -> str | None:
    """Give the payload of a link that starts this bot, or None for any other address."""
    parts = urlsplit(url if "://" in url else f"https://{url}")
    query = parse_qs(parts.query, keep_blank_values=True)
    if parts.hostname not in {"t.me", "telegram.me"} or parts.path.strip("/").lower() != username.lower():
        return None
    return query["start"][0] if "start" in query else None


def bad_deep_links(keyboard: Json | None, username: str) -> list[str]:
    """Find the deep links to this bot whose payload Telegram would not carry."""
    wrong: list[str] = []
    for row in (keyboard or {}).get("inline_keyboard", []):
        for button in row:
            payload = deep_link(button["url"], username) if button.get("url") else None
            if payload is not None and not START_PAYLOAD.fullmatch(payload):
                wrong.append(button["url"])
    return wrong
