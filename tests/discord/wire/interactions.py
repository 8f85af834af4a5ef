"""REST of interactions: the callback, and the webhook that its token opens for fifteen minutes."""

from typing import TYPE_CHECKING

from tests.discord.wire import messages
from tests.discord.wire.messages import Files
from tests.discord.wire.rules import Form, check_modal
from tests.discord.wire.world import EPHEMERAL, LOADING, ApiError, Interaction, Json, Message

if TYPE_CHECKING:
    from tests.discord.wire.server import Call, DiscordServer

_ANSWERS = {1: (1,), 2: (4, 5, 9), 3: (4, 5, 6, 7, 9), 4: (8,), 5: (4, 5, 6, 7)}
"""The types of callback for each kind of interaction."""


def callback(server: "DiscordServer", call: "Call") -> Json | None:
    """Answer an interaction for the first time."""
    interaction = server.interactions.get(int(call.args["interaction_id"]))
    late = interaction is not None and interaction.ack is None and _age(server, interaction) > server.ack_window
    if interaction is None or interaction.token != call.args["interaction_token"] or late:
        raise ApiError(404, 10062, "Unknown interaction")
    if interaction.ack is not None:
        raise ApiError(400, 40060, "Interaction has already been acknowledged.")
    kind, data = call.body.get("type"), call.body.get("data") or {}
    if kind not in _ANSWERS[interaction.kind] or (kind in (6, 7) and interaction.source is None):
        _refuse("type", f"A callback of type {kind} does not answer an interaction of type {interaction.kind}")
    _take(server, interaction, kind, data, call.files)
    interaction.ack = kind
    interaction.ack_delay = _age(server, interaction)
    interaction.acknowledged.set()
    if call.query.get("with_response") not in ("1", "true"):
        return None
    message = interaction.original if kind in (4, 5, 7) else None
    about: Json = {"id": str(interaction.id), "type": interaction.kind}
    if message is not None:
        about |= {
            "response_message_id": str(message.id),
            "response_message_loading": bool(message.flags & LOADING),
            "response_message_ephemeral": message.ephemeral,
        }
    response: Json = {"interaction": about}
    if message is not None:
        response["resource"] = {"type": kind, "message": message.json()}
    return response


def _take(server: "DiscordServer", interaction: Interaction, kind: int, data: Json, files: Files) -> None:
    match kind:
        case 4:
            interaction.original = messages.answer(server, interaction, data, files)
        case 5:
            flags = data.get("flags") or 0
            if flags & ~EPHEMERAL:
                _refuse("data.flags", "A deferred answer takes the EPHEMERAL flag only")
            interaction.original = messages.answer(server, interaction, {}, {}, flags | LOADING)
        case 6:
            interaction.original = interaction.source
        case 7:
            source = interaction.source
            if source is None or source.deleted:
                raise ApiError(404, 10008, "Unknown Message")
            messages.edit(server, source, data, files, is_answer=True)
            interaction.original = source
        case 8:
            choices = data.get("choices") or []
            form = Form()
            form.optional("data.choices", choices, 25)
            for index, choice in enumerate(choices):
                form.length(f"data.choices.{index}.name", choice.get("name"), 1, 100)
            form.check()
            interaction.choices = choices
        case 9:
            check_modal(Form(emojis=set(server.emojis)), data)
            interaction.modal = data
        case _:
            pass


def follow_up(server: "DiscordServer", call: "Call") -> Json:
    """Send one more message with the token of an interaction."""
    interaction = _open(server, call)
    original = interaction.original
    if interaction.ack == 5 and original is not None and original.flags & LOADING and not original.deleted:
        messages.edit(server, original, call.body, call.files, is_answer=True)
        return original.json()
    guild = interaction.channel.guild
    if guild is not None and not guild.installed and len(interaction.followups) >= 5:
        raise ApiError(400, 40094, "This interaction has reached the maximum number of follow-up messages")
    message = messages.answer(server, interaction, call.body, call.files)
    interaction.followups.append(message)
    return message.json()


def get_answer(server: "DiscordServer", call: "Call") -> Json:
    """Return a message of an interaction."""
    return _message(server, call).json()


def edit_answer(server: "DiscordServer", call: "Call") -> Json:
    """Edit a message of an interaction."""
    message = _message(server, call)
    messages.edit(server, message, call.body, call.files, is_answer=True)
    return message.json()


def delete_answer(server: "DiscordServer", call: "Call") -> None:
    """Delete a message of an interaction."""
    messages.delete(server, _message(server, call))


def _message(server: "DiscordServer", call: "Call") -> Message:
    interaction = _open(server, call)
    number = call.args["message_id"]
    mine = [message for message in (interaction.original, *interaction.followups) if message is not None]
    if number == "@original":
        mine = mine[:1] if interaction.original is not None else []
    else:
        mine = [message for message in mine if str(message.id) == number]
    if not mine or mine[0].deleted:
        raise ApiError(404, 10008, "Unknown Message")
    return mine[0]


def _open(server: "DiscordServer", call: "Call") -> Interaction:
    interaction = server.interaction_of(call.args["webhook_token"])
    if interaction is None or interaction.ack is None or call.args["webhook_id"] != str(server.bot.id):
        raise ApiError(404, 10015, "Unknown Webhook")
    if _age(server, interaction) > server.token_life:
        raise ApiError(401, 50027, "Invalid Webhook Token")
    return interaction


def _age(server: "DiscordServer", interaction: Interaction) -> float:
    return server.now() - interaction.created


def _refuse(path: str, message: str) -> None:
    form = Form()
    form.add(path, "BASE_TYPE_CHOICES", message)
    form.check()
