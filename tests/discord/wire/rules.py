"""What Discord demands of the body of a message or a modal; a breach is a 50035 with Discord's own codes."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from tests.discord.wire.world import EPHEMERAL, SUPPRESS_EMBEDS, SUPPRESS_NOTIFICATIONS, V2, ApiError, Json

ROW, BUTTON, SELECT, INPUT, SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER, LABEL = (
    *(1, 2, 3, 4),
    *(9, 10, 11, 12, 13, 14, 17, 18),
)
SELECTS = (3, 5, 6, 7, 8)
_IN_CONTAINER = (ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR)
_TOP_V2 = (*_IN_CONTAINER, CONTAINER)
MAX_COMPONENTS, MAX_TEXT, MAX_CONTENT, MAX_ROWS = 40, 4000, 2000, 5


@dataclass
class Form:
    """A body under examination, and what is wrong with it."""

    names: Collection[str] = ()
    """Names of the files that `attachment://` may point at."""
    emojis: Collection[int] = ()
    """Ids of the custom emojis that the bot can use."""
    errors: list[tuple[str, str, str]] = field(default_factory=list)
    count: int = 0
    text: int = 0
    custom_ids: set[str] = field(default_factory=set)
    ids: set[int] = field(default_factory=set)

    def add(self, path: str, code: str, message: str) -> None:
        """Note something wrong at a dotted path."""
        self.errors.append((path, code, message))

    def length(self, path: str, value: Any, low: int, high: int) -> None:
        """Demand a text or a list with a length between two bounds."""
        if value is None or not isinstance(value, str | list):
            self.add(path, "BASE_TYPE_REQUIRED", "This field is required")
        elif not low <= len(value) <= high:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")

    def optional(self, path: str, value: Any, high: int, low: int = 0) -> None:
        """Demand the same of a field that may be missing."""
        if value is not None:
            self.length(path, value, low, high)

    def check(self) -> None:
        """Raise the 50035 if anything is wrong."""
        if not self.errors:
            return
        tree: Json = {}
        for path, code, message in self.errors:
            node = tree
            for step in path.split("."):
                node = node.setdefault(step, {})
            node.setdefault("_errors", []).append({"code": code, "message": message})
        raise ApiError(400, 50035, "Invalid Form Body", tree)

    # Components.

    def components(self, items: list[Json], path: str, allowed: tuple[int, ...]) -> None:
        """Check a list of components."""
        for index, item in enumerate(items):
            here = f"{path}.{index}"
            self.count += 1
            kind = item.get("type")
            if kind not in allowed:
                self.add(f"{here}.type", "UNION_TYPE_CHOICES", f"Value of field must be one of {allowed}.")
                continue
            if number := item.get("id"):
                if number in self.ids:
                    self.add(f"{here}.id", "COMPONENT_ID_DUPLICATED", "Component id was already specified")
                self.ids.add(number)
            self.component(item, here, kind)

    def component(self, item: Json, path: str, kind: int) -> None:
        """Check one component of an allowed type."""
        match kind:
            case 1:
                self.row(item, path)
            case 2:
                self.button(item, path)
            case 3 | 5 | 6 | 7 | 8:
                self.select(item, path, kind)
            case 9:
                self.length(f"{path}.components", item.get("components"), 1, 3)
                self.components(item.get("components") or [], f"{path}.components", (TEXT,))
                self.components([item.get("accessory") or {}], f"{path}.accessory", (BUTTON, THUMBNAIL))
            case 10:
                self.length(f"{path}.content", item.get("content"), 1, MAX_TEXT)
                self.text += len(item.get("content") or "")
            case 11:
                self.media(item, path)
            case 12:
                self.length(f"{path}.items", item.get("items"), 1, 10)
                for index, entry in enumerate(item.get("items") or []):
                    self.media(entry, f"{path}.items.{index}")
            case 13:
                url = (item.get("file") or {}).get("url", "")
                if not url.startswith("attachment://"):
                    self.add(f"{path}.file.url", "URL_TYPE_INVALID_SCHEME", "Scheme must be one of ('attachment',).")
                self.url(url, f"{path}.file.url")
            case 17:
                self.length(f"{path}.components", item.get("components"), 1, MAX_COMPONENTS)
                self.components(item.get("components") or [], f"{path}.components", _IN_CONTAINER)
            case _:
                pass

    def row(self, item: Json, path: str) -> None:
        """Check an action row: up to five buttons or one select."""
        children = item.get("components") or []
        self.length(f"{path}.components", children, 1, 5)
        if len(children) > 1 and any(child.get("type") in SELECTS for child in children):
            self.add(path, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width")
        self.components(children, f"{path}.components", (BUTTON, *SELECTS))

    def custom_id(self, item: Json, path: str) -> None:
        """Check that a custom id is there and is the only one of its kind."""
        value = item.get("custom_id")
        self.length(f"{path}.custom_id", value, 1, 100)
        if value in self.custom_ids:
            code = "COMPONENT_CUSTOM_ID_DUPLICATED"
            self.add(f"{path}.custom_id", code, "Component custom id cannot be duplicated")
        self.custom_ids.add(str(value))

    def button(self, item: Json, path: str) -> None:
        """Check a button."""
        style = item.get("style")
        self.optional(f"{path}.label", item.get("label"), 80)
        self.emoji(item.get("emoji"), f"{path}.emoji")
        if style not in range(1, 7):
            self.add(f"{path}.style", "BASE_TYPE_CHOICES", "Value must be one of (1, 2, 3, 4, 5, 6).")
        elif style == 5:
            self.length(f"{path}.url", item.get("url"), 1, 512)
            if item.get("custom_id"):
                self.add(path, "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", "A link has no custom id")
        elif style != 6:
            self.custom_id(item, path)
        if style != 6 and not item.get("label") and not item.get("emoji"):
            self.add(path, "BUTTON_COMPONENT_INVALID_LABEL_OR_EMOJI", "A button needs a label or an emoji")

    def select(self, item: Json, path: str, kind: int) -> None:
        """Check a select menu."""
        self.custom_id(item, path)
        self.optional(f"{path}.placeholder", item.get("placeholder"), 150)
        low, high = item.get("min_values"), item.get("max_values")
        low, high = 1 if low is None else low, 1 if high is None else high
        options = item.get("options") or []
        top = len(options) if kind == SELECT and options else 25
        if not 0 <= low <= min(25, top):
            self.add(f"{path}.min_values", "NUMBER_TYPE_MAX", f"int value should be between 0 and {min(25, top)}.")
        if not max(1, low) <= high <= min(25, top):
            self.add(f"{path}.max_values", "NUMBER_TYPE_MAX", f"int value should be at most {min(25, top)}.")
        if kind != SELECT:
            return
        self.length(f"{path}.options", options, 1, 25)
        values: set[str] = set()
        for index, option in enumerate(options):
            here = f"{path}.options.{index}"
            self.length(f"{here}.label", option.get("label"), 1, 100)
            self.length(f"{here}.value", option.get("value"), 1, 100)
            self.optional(f"{here}.description", option.get("description"), 100)
            self.emoji(option.get("emoji"), f"{here}.emoji")
            if option.get("value") in values:
                code = "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"
                self.add(f"{here}.value", code, "The specified option value is already used")
            values.add(str(option.get("value")))
        if sum(bool(option.get("default")) for option in options) > high:
            self.add(f"{path}.options", "SELECT_COMPONENT_TOO_MANY_DEFAULTS", "More defaults than max_values")

    def emoji(self, emoji: Json | None, path: str) -> None:
        """Check that an emoji is one that the bot can use."""
        if not emoji:
            return
        known = int(emoji["id"]) in self.emojis if emoji.get("id") else not str(emoji.get("name") or "a").isascii()
        if not known:
            self.add(path, "COMPONENT_INVALID_EMOJI", "Invalid emoji")

    def media(self, item: Json, path: str) -> None:
        """Check a thumbnail or an item of a gallery."""
        self.optional(f"{path}.description", item.get("description"), 1024, low=1)
        self.url((item.get("media") or {}).get("url", ""), f"{path}.media.url")

    def url(self, url: str, path: str) -> None:
        """Check that a link leads somewhere: `attachment://` to a file of this message."""
        scheme, _, name = url.partition("://")
        if scheme not in ("http", "https", "attachment"):
            code = "URL_TYPE_INVALID_SCHEME"
            self.add(
                path, code, f'Scheme "{scheme}" is not supported. Scheme must be one of (http, https, attachment).'
            )
        elif scheme == "attachment" and name not in self.names:
            code = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
            self.add(path, code, f"The referenced attachment {name!r} was not found")


def check_message(form: Form, whole: Json, given: Json, *, flags_before: int, is_answer: bool) -> None:
    """Check a message: `whole` as it will stand, `given` what this request says of it."""
    flags = whole["flags"]
    allowed = SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS | V2 | (EPHEMERAL if is_answer else 0)
    if (given.get("flags") or 0) & ~(allowed | flags_before):
        form.add("flags", "BASE_TYPE_CHOICES", f"Only the flags {allowed} can be set here")
    if flags_before & V2 and given.get("flags") is not None and not given["flags"] & V2:
        form.add("flags", "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG", "The components v2 flag cannot be removed")
    if flags & V2:
        for name in ("content", "embeds", "poll", "sticker_ids"):
            if whole.get(name) or given.get(name):
                code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
                form.add(name, code, f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2")
    else:
        form.optional("content", whole["content"], MAX_CONTENT)
        form.optional("components", whole["components"], MAX_ROWS)
        _embeds(form, whole["embeds"])
    if "components" in given:  # what stands already has been checked, and has no more `attachment://`
        form.components(whole["components"], "components", _TOP_V2 if flags & V2 else (ROW,))
    if form.count > MAX_COMPONENTS:
        form.add("components", "BASE_TYPE_MAX_LENGTH", f"Total number of components cannot exceed {MAX_COMPONENTS}")
    if form.text > MAX_TEXT:
        code = "COMPONENT_MAX_TOTAL_TEXT_DISPLAY_CHARACTERS_EXCEEDED"
        form.add("components", code, f"The total text displayed cannot exceed {MAX_TEXT} characters")
    form.check()


def _embeds(form: Form, embeds: list[Json]) -> None:
    form.optional("embeds", embeds, 10)
    for index, embed in enumerate(embeds):
        here = f"embeds.{index}"
        form.optional(f"{here}.title", embed.get("title"), 256)
        form.optional(f"{here}.description", embed.get("description"), 4096)
        form.optional(f"{here}.fields", embed.get("fields"), 25)
        for part in ("image", "thumbnail"):
            if (embed.get(part) or {}).get("url", "").startswith("attachment://"):
                form.url(embed[part]["url"], f"{here}.{part}.url")


def check_modal(form: Form, modal: Json) -> None:
    """Check the data of a modal."""
    form.length("data.title", modal.get("title"), 1, 45)
    form.length("data.custom_id", modal.get("custom_id"), 1, 100)
    items = modal.get("components") or []
    form.length("data.components", items, 1, 5)
    for index, item in enumerate(items):
        here = f"data.components.{index}"
        inner = item.get("component") if item.get("type") == LABEL else None
        if item.get("type") == ROW:
            inner = (item.get("components") or [{}])[0]
        if item.get("type") == LABEL:
            form.length(f"{here}.label", item.get("label"), 1, 45)
            form.optional(f"{here}.description", item.get("description"), 100)
        elif item.get("type") not in (ROW, TEXT):
            form.add(f"{here}.type", "UNION_TYPE_CHOICES", "Value of field must be one of (1, 10, 18).")
        if inner and inner.get("type") == INPUT:
            form.custom_id(inner, here)
            form.optional(f"{here}.label", inner.get("label"), 45)
            form.optional(f"{here}.placeholder", inner.get("placeholder"), 100)
            form.optional(f"{here}.value", inner.get("value"), 4000)
        elif inner and inner.get("type") in SELECTS:
            form.select(inner, here, inner["type"])
        elif inner:
            form.custom_id(inner, here)
    form.check()
