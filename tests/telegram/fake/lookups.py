"""Methods that look at chats, members and files."""

from typing import TYPE_CHECKING

from tests.telegram.fake.calls import Call
from tests.telegram.fake.errors import Json, bad
from tests.telegram.fake.registry import method
from tests.telegram.fake.rooms import Group
from tests.telegram.fake.state import Member

if TYPE_CHECKING:
    from tests.telegram.fake.world import World

_PERMISSIONS = (
    "can_send_messages",
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
    "can_send_polls",
    "can_send_other_messages",
    "can_add_web_page_previews",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
    "can_manage_topics",
)
_GIFTS = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")
MAX_DOWNLOAD = 20 * 1024 * 1024


@method("getChat")
def get_chat(world: "World", call: Call) -> Json:
    """Describe a chat."""
    chat = world.chat(call)
    if isinstance(chat, Group):
        chat.admit_bot()
    elif not world.people[chat.id].known:
        raise bad("chat not found")
    full = chat.to_json() | {"accent_color_id": 0, "max_reaction_count": 11}
    full["accepted_gift_types"] = dict.fromkeys(_GIFTS, False)
    if not chat.private:
        full["permissions"] = {name: name not in chat.forbidden for name in _PERMISSIONS}
    if chat.pinned:
        full["pinned_message"] = chat.pinned[-1].to_json(nested=True)
    return full


def _group(world: "World", call: Call) -> Group:
    chat = world.chat(call)
    if not isinstance(chat, Group):
        raise bad("there are no administrators in the private chat")
    chat.admit_bot()
    return chat


@method("getChatMember")
def get_member(world: "World", call: Call) -> Json:
    """Tell how somebody belongs to a chat."""
    chat = world.chat(call)
    if isinstance(chat, Group):
        chat.admit_bot()
    user_id = call.number("user_id")
    if user_id in chat.members:
        return chat.members[user_id].to_json()
    if user_id not in world.people:
        raise bad("invalid user_id specified")
    inside = chat.private and chat.id == user_id
    return Member(world.people[user_id].user, "member" if inside else "left").to_json()


@method("getChatAdministrators")
def get_administrators(world: "World", call: Call) -> list[Json]:
    """List the administrators of a group who are people, and the bot itself."""
    members = _group(world, call).members.values()
    return [member.to_json() for member in members if member.status in {"creator", "administrator"}]


@method("getChatMemberCount")
def count_members(world: "World", call: Call) -> int:
    """Count who is in a chat."""
    chat = world.chat(call)
    return 2 if chat.private else sum(member.inside for member in chat.members.values())


@method("leaveChat")
def leave(world: "World", call: Call) -> bool:
    """Leave a group."""
    chat = world.reachable(call)
    if not isinstance(chat, Group):
        raise bad("chat member status can't be changed in private chats")
    chat.bot_leaves()
    return True


@method("createForumTopic")
def create_topic(world: "World", call: Call) -> Json:
    """Open a topic in a forum."""
    chat = world.reachable(call)
    if not isinstance(chat, Group) or not chat.forum:
        raise bad("the chat is not a forum")
    if not chat.bot.may("can_manage_topics"):
        raise bad("not enough rights to create a topic")
    if not 1 <= len(call.text("name")) <= 128:
        raise bad("TOPIC_TITLE_EMPTY")
    thread = chat.topic(call.text("name"))
    return {"message_thread_id": thread, "name": call.text("name"), "icon_color": 7322096}


@method("getFile")
def get_file(world: "World", call: Call) -> Json:
    """Tell where a file can be fetched."""
    found = world.files.get(call.text("file_id"))
    if found is None:
        raise bad("invalid file_id")
    if len(found.data) > MAX_DOWNLOAD:
        raise bad("file is too big")
    return found.to_json() | {"file_path": found.path}
