"""Groups and channels, and what happens in them."""

from collections.abc import Iterable
from itertools import count
from typing import TYPE_CHECKING

from tests.telegram.fake.errors import Json, bad, forbidden
from tests.telegram.fake.state import RIGHTS, Chat, Member, Message

if TYPE_CHECKING:
    from tests.telegram.fake.people import Person
    from tests.telegram.fake.world import World

_ADMIN_RIGHTS = (
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
    "can_manage_topics",
)


class Group(Chat):
    """A group, supergroup or channel. `messages` are the bot's that stand, `history` is everything ever said."""

    def __init__(self, world: "World", chat_id: int, kind: str, title: str, people: Iterable["Person"]) -> None:
        super().__init__(chat_id, kind, title)
        self._world = world
        self.bot = Member(world.me)
        self.members[world.me["id"]] = self.bot
        for place, person in enumerate(people):
            self.members[person.id] = Member(person.user, "member" if place else "creator")

    @property
    def before(self) -> list[Message]:
        """Messages from the time before the group became a supergroup."""
        return [message for message in self.history if message.chat is not self]

    def topic(self, name: str) -> int:
        """Open a topic; give its message_thread_id."""
        assert self.forum, "only a forum has topics"
        thread = self._world.number(self)
        self.topics[thread] = name
        return thread

    def add(self, *people: "Person") -> None:
        """Let people join; the bot sees the service message."""
        for person in people:
            self._change(person, Member(person.user, "member"))
            self._world.service(self, person.user, new_chat_members=[person.user])

    def leave(self, person: "Person", *, kicked: bool = False) -> None:
        """Let somebody go; the bot sees the service message."""
        self._change(person, Member(person.user, "kicked" if kicked else "left"))
        self._world.service(self, person.user, left_chat_member=person.user)

    def promote(self, person: "Person", *rights: str) -> None:
        """Make somebody an administrator, with the usual rights unless others are named."""
        self._change(person, Member(person.user, "administrator", set(rights or _ADMIN_RIGHTS)))

    def demote(self, person: "Person") -> None:
        """Make an administrator an ordinary member."""
        self._change(person, Member(person.user, "member"))

    def promote_bot(self, *rights: str, tell: bool = True) -> None:
        """Make the bot an administrator, with the usual rights unless others are named."""
        assert not set(rights) - set(RIGHTS), "no such right"
        self._change_bot(Member(self._world.me, "administrator", set(rights or _ADMIN_RIGHTS)), tell=tell)

    def remove_bot(self) -> None:
        """Throw the bot out."""
        self._change_bot(Member(self._world.me, "kicked"))

    def add_bot(self) -> None:
        """Take the bot in (again)."""
        self._change_bot(Member(self._world.me, "member"))

    def bot_leaves(self) -> None:
        """Let the bot go, as leaveChat does."""
        self._change_bot(Member(self._world.me, "left"))

    def close_topic(self, thread: int) -> None:
        """Let nobody but administrators write into a topic."""
        self.closed_topics.add(thread)

    def reopen_topic(self, thread: int) -> None:
        """Let everybody write into a topic again; the bot sees the service message."""
        self.closed_topics.discard(thread)
        by = next(member.user for member in self.members.values() if member.status == "creator")
        message = self._world.post(self, by, service={"forum_topic_reopened": {}}, thread_id=thread)
        self._world.updates.push("message", message.to_json())

    def vanish(self) -> None:
        """Be deleted: nothing tells the bot, and every call to it finds no chat."""
        del self._world.chats[self.id]

    def forbid(self, *permissions: str) -> None:
        """Take permissions from ordinary members: can_send_messages, can_send_photos, can_send_documents."""
        self.forbidden |= set(permissions)

    def allow(self, *permissions: str) -> None:
        """Give permissions back."""
        self.forbidden -= set(permissions)

    def migrate(self, *, tell: bool = True) -> int:
        """Turn the group into a supergroup: a new id, and old messages out of reach. Gives the old id.

        Unless it is to ``tell``, only calls to the old id learn of it.
        """
        assert self.type == "group", "only a basic group can become a supergroup"
        old = Chat(self.id, "group", self.title)
        old.history = self.history
        for message in old.history:
            message.chat = old
        new_id = -(1_003_000_000_000 + next(self._world.ids))
        creator = next((m.user for m in self.members.values() if m.status == "creator"), self._world.me)
        if tell:
            self._world.service(old, creator, migrate_to_chat_id=new_id)
        self.history, self.pinned, self.numbers = list(old.history), [], count(2)
        self.id, self.type = new_id, "supergroup"
        self._world.chats[new_id] = self
        del self._world.chats[old.id]
        self._world.migrated[old.id] = new_id
        if tell:
            self._world.service(self, creator, migrate_from_chat_id=old.id)
        return old.id

    @property
    def messages(self) -> list[Message]:
        """The bot's messages that still stand, oldest first (not those from before a migration)."""
        return [message for message in super().messages if message.chat is self]

    def find(self, message_id: int) -> Message | None:
        """Find a message that has not been deleted."""
        here = (m for m in self.history if m.message_id == message_id and not m.deleted and m.chat is self)
        return next(here, None)

    def admit_bot(self) -> None:
        """Refuse with 403 when the bot is not in."""
        if self.bot.status == "kicked":
            raise forbidden(f"bot was kicked from the {self.type} chat")
        if not self.bot.inside:
            raise forbidden(f"bot is not a member of the {self.type} chat")

    def let_send(self, permission: str, what: str) -> None:
        """Refuse what members may not send."""
        if self.type == "channel" and not self.bot.may("can_post_messages"):
            raise bad("need administrator rights in the channel chat")
        if permission in self.forbidden and self.bot.status == "member":
            raise bad(f"not enough rights to send {what} to the chat")

    def _change(self, person: "Person", member: Member) -> None:
        old = self.members.get(person.id) or Member(person.user, "left")
        self.members[person.id] = member
        self._world.updates.push("chat_member", self._changed(person.user, old, member))

    def _change_bot(self, member: Member, *, tell: bool = True) -> None:
        old, self.bot = self.bot, member
        self.members[self._world.me["id"]] = member
        by = next((m.user for m in self.members.values() if m.status == "creator"), self._world.me)
        if tell:
            self._world.updates.push("my_chat_member", self._changed(by, old, member))

    def _changed(self, by: Json, old: Member, new: Member) -> Json:
        date = self._world.now()
        states = {"old_chat_member": old.to_json(), "new_chat_member": new.to_json()}
        return {"chat": self.to_json(), "from": by, "date": date, **states}
