"""What a user of Discord can do: commands, buttons, selects and modals, in guilds, in DMs and elsewhere."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.discord.wire.looks import Button, Select, buttons, selects, text_of
from tests.discord.wire.messages import publish
from tests.discord.wire.rules import BUTTON
from tests.discord.wire.world import DM, Channel, Interaction, Json, Message, User, member_json

if TYPE_CHECKING:
    from tests.discord.wire.server import DiscordServer

_COMMAND, _COMPONENT, _AUTOCOMPLETE, _MODAL = 2, 3, 4, 5
_SUBCOMMAND, _GROUP = 1, 2
_TYPES: dict[int, type | tuple[type, ...]] = {3: str, 4: int, 5: bool, 6: User, 7: Channel, 10: (int, float)}


class Refused(Exception):
    """The user cannot do that: Discord would not show it, or shows it greyed out."""


@dataclass
class Outcome:
    """What the bot made of an interaction; messages are live and show what they are now."""

    interaction: Interaction

    @property
    def ack(self) -> int | None:
        """The type of the first answer, or `None` where there was none: "the application did not respond"."""
        return self.interaction.ack

    @property
    def delay(self) -> float | None:
        """Seconds until the first answer."""
        return self.interaction.ack_delay

    @property
    def message(self) -> Message | None:
        """The answer, or the message with the component where the answer was to update it."""
        found = self.interaction.original
        return None if found is None or found.deleted else found

    @property
    def followups(self) -> list[Message]:
        """The further messages."""
        return [message for message in self.interaction.followups if not message.deleted]

    @property
    def shown(self) -> list[Message]:
        """All the messages: the answer, then the others."""
        return [*([self.message] if self.message is not None else []), *self.followups]

    @property
    def ephemeral(self) -> Message | None:
        """The message that only this user sees: the newest follow-up, or else the answer."""
        return next((message for message in reversed(self.shown) if message.ephemeral), None)

    @property
    def modal(self) -> Json | None:
        """The modal that opened."""
        return self.interaction.modal

    @property
    def choices(self) -> list[Json]:
        """The choices of an autocompletion."""
        return self.interaction.choices or []

    def text(self) -> str:
        """Return all the text of the messages."""
        return "\n".join(map(text_of, self.shown))

    @property
    def buttons(self) -> list[Button]:
        """The buttons of the messages."""
        return [button for message in self.shown for button in buttons(message)]

    @property
    def selects(self) -> list[Select]:
        """The select menus of the messages."""
        return [select for message in self.shown for select in selects(message)]


class Person(User):
    """A user who uses the bot; made by `DiscordServer.user`."""

    def __init__(self, server: "DiscordServer", number: int, name: str) -> None:
        super().__init__(number, name)
        self.server = server

    # What one can do.

    async def slash(self, channel: Channel, *names: str, **options: Any) -> Outcome:
        """Use a command: its name, then those of the group and the subcommand if any, then the options by name."""
        data, command = self._command(channel, names, options)
        self._allowed(command, channel)
        return await self._do(_COMMAND, channel, data)

    async def autocomplete(self, channel: Channel, *names: str, focus: str, **options: Any) -> Outcome:
        """Type in an option of a command; `focus` is the name of that option, and `options` what is typed so far."""
        data, _ = self._command(channel, names, {focus: "", **options}, focus=focus)
        return await self._do(_AUTOCOMPLETE, channel, data)

    async def press(
        self,
        where: Message | Outcome,
        label: str | None = None,
        *,
        custom_id: str | None = None,
        stale: bool = False,
    ) -> Outcome:
        """Press a button, found by its label or its custom id.

        `stale` presses a custom id that the message no longer has or has disabled, as from a client that is behind.
        """
        if stale and custom_id is not None:
            return await self._component(self._first(where), BUTTON, {"custom_id": custom_id, "id": 1}, {})
        for message in self._messages(where):
            for button in buttons(message):
                if custom_id not in (None, button.custom_id) or label not in (None, button.label):
                    continue
                if button.disabled:
                    raise Refused(f"the button {button.label or button.custom_id!r} is disabled")
                if not button.custom_id:
                    raise Refused(f"the button {button.label!r} is a link")
                return await self._component(message, BUTTON, button.data, {})
        there = [button.label or button.custom_id for message in self._messages(where) for button in buttons(message)]
        raise Refused(f"there is no button {label or custom_id!r}, but {there}")

    async def pick(self, where: Message | Outcome, which: str | int, values: Sequence[str | User] | str) -> Outcome:
        """Choose in a select menu, found by its custom id or its position; a string select takes values."""
        chosen = [values] if isinstance(values, str) else list(values)
        there = [(message, select) for message in self._messages(where) for select in selects(message)]
        if isinstance(which, int):
            there = there[which : which + 1]
        else:
            there = [pair for pair in there if pair[1].custom_id == which]
        if not there:
            raise Refused(f"there is no select {which!r}")
        message, select = there[0]
        if select.disabled:
            raise Refused(f"the select {select.custom_id!r} is disabled")
        if not select.low <= len(chosen) <= select.high:
            raise Refused(f"the select {select.custom_id!r} takes {select.low} to {select.high} values")
        if select.kind == 3 and (strange := [value for value in chosen if value not in select.values]):
            raise Refused(f"the select {select.custom_id!r} has no {strange}, but {select.values}")
        people = [value for value in chosen if isinstance(value, User)]
        data: Json = {"values": [str(value.id) if isinstance(value, User) else value for value in chosen]}
        if people:
            data["resolved"] = _resolved(people, [])
        return await self._component(message, select.kind, select.data, data)

    async def submit(self, modal: Outcome, **fields: str) -> Outcome:
        """Send the modal that an interaction opened, with the text of its fields by custom id."""
        if modal.modal is None:
            raise Refused("no modal is open")
        parts: list[Json] = []
        for item in modal.modal["components"]:
            inner = item.get("component") or next(iter(item.get("components") or []), None)
            if inner is None:
                continue
            value = fields.get(inner["custom_id"], inner.get("value") or "")
            filled = {"type": inner["type"], "id": 1, "custom_id": inner["custom_id"], "value": value}
            parts.append(
                {"type": 18, "id": 1, "component": filled}
                if "component" in item
                else {"type": 1, "id": 1, "components": [filled]}
            )
        data = {"custom_id": modal.modal["custom_id"], "components": parts}
        return await self._do(_MODAL, modal.interaction.channel, data, modal.interaction.source)

    async def say(self, channel: Channel, content: str) -> Message:
        """Write a message; the bot gets its content only in a DM, as without the privileged intent."""
        message = Message(self.server.snowflake(), channel, self, self.server.now(), content=content)
        if channel.guild is not None:
            message.content = ""
        publish(self.server, message)
        message.content = content
        await self.server.settle()
        return message

    def sees(self, message: Message) -> bool:
        """Whether the user can see a message."""
        place = message.channel
        inside = not place.recipients or self in place.recipients
        return not message.deleted and inside and message.seen_by in (None, self)

    def dismiss(self, message: Message) -> None:
        """Dismiss an ephemeral message: it is gone for the bot too."""
        if not message.ephemeral or not self.sees(message):
            raise Refused("only one's own ephemeral messages can be dismissed")
        message.deleted = True

    # How it is done.

    def _messages(self, where: Message | Outcome) -> list[Message]:
        found = [where] if isinstance(where, Message) else list(reversed(where.shown))
        found = [message for message in found if self.sees(message)]
        if not found:
            raise Refused(f"{self.name} sees no such message")
        return found

    def _first(self, where: Message | Outcome) -> Message:
        return self._messages(where)[0]

    async def _component(self, message: Message, kind: int, item: Json, more: Json) -> Outcome:
        data = {"component_type": kind, "custom_id": item["custom_id"], "id": item["id"], **more}
        return await self._do(_COMPONENT, message.channel, data, message)

    def _command(
        self, channel: Channel, names: Sequence[str], options: dict[str, Any], focus: str | None = None
    ) -> tuple[Json, Json]:
        """Return the data of an interaction and the command."""
        local = self.server.guild_commands.get(channel.guild.id, []) if channel.guild is not None else []
        command = next((item for item in [*local, *self.server.commands] if item["name"] == names[0]), None)
        if command is None:
            raise Refused(f"there is no command /{names[0]}")
        level, path = command, []
        for name in names[1:]:
            level = next((item for item in level.get("options") or [] if item["name"] == name), {})
            if level.get("type") not in (_SUBCOMMAND, _GROUP):
                raise Refused(f"there is no command /{' '.join(names)}")
            path.append(level)
        known = level.get("options") or []
        if any(item["type"] in (_SUBCOMMAND, _GROUP) for item in known):
            raise Refused(f"/{' '.join(names)} needs one of {[item['name'] for item in known]}")
        filled = _options(known, options, focus)
        for step in reversed(path):
            filled = [{"name": step["name"], "type": step["type"], "options": filled}]
        data: Json = {"id": command["id"], "name": command["name"], "type": 1, "options": filled}
        if command in local and channel.guild is not None:
            data["guild_id"] = str(channel.guild.id)
        people = [value for value in options.values() if isinstance(value, User)]
        places = [value.json(self.server.bot) for value in options.values() if isinstance(value, Channel)]
        if people or places:
            data["resolved"] = _resolved(people, places)
        return data, command

    def _allowed(self, command: Json, channel: Channel) -> None:
        """Refuse a command that Discord does not show in that place."""
        contexts, installs = command.get("contexts"), command.get("integration_types") or [0]
        context = self._context(channel)
        if contexts is not None and context not in contexts:
            raise Refused(f"/{command['name']} is not for contexts of type {context}")
        if 1 not in installs and (context == 2 or (channel.guild is not None and not channel.guild.installed)):
            raise Refused(f"/{command['name']} is not for apps that only a user has installed")

    def _context(self, channel: Channel) -> int:
        if channel.guild is not None:
            return 0
        return 1 if self.server.bot in channel.recipients else 2

    def _payload(self, interaction: Interaction, data: Json) -> Json:
        server, channel, guild = self.server, interaction.channel, interaction.channel.guild
        context = self._context(channel)
        if guild is not None:
            owners = {"0": str(guild.id)} if guild.installed else {"1": str(self.id)}
        else:
            owners = {"0": "0"} if context == 1 else {"1": str(self.id)}
        payload: Json = {
            "id": str(interaction.id),
            "application_id": str(server.bot.id),
            "type": interaction.kind,
            "token": interaction.token,
            "version": 1,
            "data": data,
            "channel_id": str(channel.id),
            "channel": channel.json(server.bot),
            "locale": self.locale,
            "context": context,
            "authorizing_integration_owners": owners,
            "app_permissions": str(channel.bot_permissions),
            "entitlements": [],
            "entitlement_sku_ids": [],
            "attachment_size_limit": server.attachment_limit,
        }
        if guild is None:
            payload["user"] = self.json()
        else:
            permissions = channel.user_permissions if self.permissions is None else self.permissions
            payload["channel"]["permissions"] = str(permissions)
            payload |= {
                "guild_id": str(guild.id),
                "guild_locale": guild.locale,
                "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
                "member": {**member_json(self), "permissions": str(permissions), "unusual_dm_activity_until": None},
            }
        if interaction.source is not None:
            payload["message"] = interaction.source.json()
        return payload

    async def _do(self, kind: int, channel: Channel, data: Json, source: Message | None = None) -> Outcome:
        server = self.server
        if channel.deleted or (channel.kind == DM and self not in channel.recipients):
            raise Refused(f"{self.name} is not in that channel")
        if server.endpoint is None and not server.gateway.identifies:
            raise Refused("no bot has ever connected: await server.connected() first")
        interaction = Interaction(server.snowflake(), server.token(), kind, self, channel, server.now(), source)
        server.begin(interaction)
        if (
            server.endpoint is None and not server.gateway.sessions
        ):  # nobody will ever get it: "the application did not respond"
            return Outcome(interaction)
        if server.endpoint is not None:
            server.endpoint(self._payload(interaction, data))
        else:
            server.gateway.dispatch("INTERACTION_CREATE", self._payload(interaction, data))
        try:
            await asyncio.wait_for(interaction.acknowledged.wait(), server.patience)
            await server.until(lambda: interaction.state == "answered")
            await server.settle()
        except TimeoutError:  # the outcome shows how far the bot has come
            pass
        return Outcome(interaction)


def _options(known: list[Json], given: dict[str, Any], focus: str | None) -> list[Json]:
    """Check options against their command, and return them as the payload has them."""
    by_name = {item["name"]: item for item in known}
    if strange := sorted(set(given) - set(by_name)):
        raise Refused(f"there are no options {strange}, but {list(by_name)}")
    if focus is not None and not by_name[focus].get("autocomplete"):
        raise Refused(f"the option {focus!r} has no autocompletion")
    filled = []
    for name, item in by_name.items():
        if name not in given:
            if item.get("required") and focus is None:
                raise Refused(f"the option {name!r} is required")
            continue
        value = given[name]
        if name == focus:
            filled.append({"name": name, "type": item["type"], "value": value, "focused": True})
            continue
        _check_option(item, value)
        plain = str(value.id) if isinstance(value, User | Channel) else value
        filled.append({"name": name, "type": item["type"], "value": plain})
    return filled


def _check_option(item: Json, value: Any) -> None:
    name, kind = item["name"], item["type"]
    if kind in _TYPES and (not isinstance(value, _TYPES[kind]) or (kind in (4, 10) and isinstance(value, bool))):
        raise Refused(f"the option {name!r} does not take {value!r}")
    choices = [choice["value"] for choice in item.get("choices") or []]
    if choices and value not in choices:
        raise Refused(f"the option {name!r} takes {choices}")
    size = len(value) if isinstance(value, str) else value
    low, high = ("min_length", "max_length") if isinstance(value, str) else ("min_value", "max_value")
    if (item.get(low) is not None and size < item[low]) or (item.get(high) is not None and size > item[high]):
        raise Refused(f"the option {name!r} is out of bounds: {value!r}")


def _resolved(people: list[User], places: list[Json]) -> Json:
    data: Json = {}
    if people:
        data["users"] = {str(user.id): user.json() for user in people}
        members = {str(user.id): {**member_json(user, with_user=False), "permissions": "0"} for user in people}
        data["members"] = members
    if places:
        data["channels"] = {place["id"]: {**place, "permissions": "0"} for place in places}
    return data
