"""A small bot of discord.py for the tests of the fake Discord."""

import io
from typing import Any, Self

import discord
import yarl
from discord import app_commands, ui
from discord.gateway import DiscordWebSocket
from discord.http import Route

PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000020000000308060000000000000000000000")


class Press(ui.DynamicItem[ui.Button[Any]], template=r"go:(?P<what>\w+)"):
    """A button that works without the view that it came from."""

    def __init__(self, what: str, label: str, *, disabled: bool = False) -> None:
        super().__init__(ui.Button(label=label, custom_id=f"go:{what}", disabled=disabled))
        self.what = what

    @classmethod
    async def from_custom_id(cls, _: discord.Interaction, item: ui.Item[Any], match: Any, /) -> Self:
        """Return the button that was pressed."""
        assert isinstance(item, ui.Button)
        return cls(match["what"], item.label or "")

    async def callback(self, interaction: discord.Interaction) -> None:
        """Do what the button says."""
        match self.what:
            case "quiet":
                await interaction.response.defer()
                await interaction.followup.send("aparte", ephemeral=True)
            case "change":
                await interaction.response.edit_message(view=board("cambiado"), attachments=[])
            case "twice":
                await interaction.response.defer()
                await interaction.client.http.request(
                    Route("POST", f"/interactions/{interaction.id}/{interaction.token}/callback"), json={"type": 6}
                )
            case "form":
                await interaction.response.send_modal(Form())
            case _:
                pass


class Pick(ui.DynamicItem[ui.Select[Any]], template=r"pick"):
    """A select that tells what was picked."""

    def __init__(self) -> None:
        options = [discord.SelectOption(label=name.upper(), value=name) for name in "abc"]
        super().__init__(ui.Select(custom_id="pick", options=options, max_values=2, placeholder="Elige"))

    @classmethod
    async def from_custom_id(cls, _: discord.Interaction, _item: ui.Item[Any], _match: Any, /) -> Self:
        """Return the select that was used."""
        return cls()

    async def callback(self, interaction: discord.Interaction) -> None:
        """Tell what was picked."""
        await interaction.response.send_message(f"elegido {self.item.values}", ephemeral=True)


class Form(ui.Modal, title="Formulario"):
    """A modal with one field."""

    name: ui.TextInput[Any] = ui.TextInput(label="Nombre", custom_id="name")

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Greet."""
        await interaction.response.send_message(f"hola {self.name.value}", ephemeral=True)


def board(text: str, *, picture: bool = False) -> ui.LayoutView:
    """Return a view with text, buttons and a select."""
    view = ui.LayoutView(timeout=None)
    box: ui.Container[Any] = ui.Container(ui.TextDisplay(text))
    if picture:
        box.add_item(ui.MediaGallery(discord.MediaGalleryItem("attachment://mesa.png", description="La mesa")))
    whats = (("quiet", "Callar"), ("change", "Cambiar"), ("twice", "Dos"), ("form", "Formulario"))
    box.add_item(ui.ActionRow(*(Press(what, label) for what, label in whats), Press("off", "Nada", disabled=True)))
    box.add_item(ui.ActionRow(Pick()))
    view.add_item(box)
    return view


class Bot(discord.Client):
    """A bot with a few commands."""

    def __init__(self, intents: discord.Intents) -> None:
        super().__init__(intents=intents, guild_ready_timeout=0.05)
        self.tree: app_commands.CommandTree[Any] = app_commands.CommandTree(self)
        self.errors: list[Exception] = []
        self.seen: list[str] = []
        group = app_commands.Group(name="buraco", description="Buraco")
        new: app_commands.Command[Any, ..., None] = group.command(name="nueva", description="Mesa nueva")(self.new)
        new.autocomplete("modo")(self.modes)
        group.command(name="hablar", description="Hablar")(self.talk)
        self.tree.add_command(group)
        self.tree.error(self.on_tree_error)

    async def on_tree_error(self, _: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        self.errors.append(error)

    async def on_error(self, event_method: str, /, *_args: Any, **_kwargs: Any) -> None:
        self.errors.append(RuntimeError(event_method))

    async def on_message(self, message: discord.Message) -> None:
        if message.author != self.user:
            self.seen.append(message.content)

    async def before_identify_hook(self, _shard_id: int | None, *, initial: bool = False) -> None:
        """Identify at once, the second time too."""

    async def on_resumed(self) -> None:
        self.seen.append("resumed")

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Press, Pick)
        await self.tree.sync()
        _, url, _ = await self.http.get_bot_gateway()
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url)

    async def new(self, interaction: discord.Interaction, modo: str, rival: discord.User | None = None) -> None:
        await interaction.response.defer(ephemeral=True)
        view = board(f"mesa de {modo} contra {rival.display_name if rival else 'nadie'}", picture=True)
        await interaction.edit_original_response(
            view=view, attachments=[discord.File(io.BytesIO(PNG), "mesa.png", description="La mesa")]
        )

    async def modes(self, _: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Return the modes that begin so."""
        return [app_commands.Choice(name=name, value=name) for name in ("1v1", "2v2") if name.startswith(current)]

    async def talk(self, interaction: discord.Interaction, texto: str) -> None:
        await interaction.response.send_message(texto)
