"""What Telegram takes, and what this adapter allows itself of it."""

from typing import Final

DATA_BYTES: Final = 64
"""Callback data of a button."""
BUTTONS: Final = 100
BUTTONS_A_ROW: Final = 8
LABEL_CHARACTERS: Final = (40, 19, 13, 9, 7, 5, 4, 4)
"""What can be read of a label on a narrow phone where one, two, three and more buttons stand in a row."""
CAPTION: Final = 1024
TEXT: Final = 4096
TOAST: Final = 200
COMMAND_TEXT: Final = 256
INLINE_RESULTS: Final = 50

CARDS_A_ROW: Final = 6
CARDS_A_PAGE: Final = 24

GROUP_BURST: Final = 4.0
GROUP_A_MINUTE: Final = 15.0
"""Sends and edits; together with the burst never more than 19 in any minute, of Telegram's 20."""
PRIVATE_BURST: Final = 4.0
PRIVATE_A_MINUTE: Final = 60.0
COMMANDS_BURST: Final = 8.0
COMMANDS_A_MINUTE: Final = 12.0
"""Commands of one account in groups that are answered."""
EDITS_A_MINUTE: Final = 12
"""How often one table is redrawn in one place."""

TABLES_A_PLACE: Final = 4
"""Open tables in one chat or topic."""
ADMIN_SECONDS: Final = 60.0
"""How long it is believed that somebody keeps order in a chat, or does not."""
FLOOD_TRIES: Final = 4
FLOOD_SECONDS: Final = 120.0
"""The longest wait that Telegram can ask for before a call is given up, to be made anew with newer content."""
POLL_SECONDS: Final = 25
CALL_SECONDS: Final = 15.0
PICTURE_TRIES: Final = 3
PICTURE_PAUSE: Final = 3.0
"""Before a picture that failed is tried again; the words are there meanwhile."""
COMMIT_SECONDS: Final = 0.3
"""How long the next poll, which confirms the last updates, waits for what they do; it goes on without the slow ones."""
HOOK_SECONDS: Final = 5.0
"""The same for the answer to an update that was sent, which holds up no other."""
PAUSES: Final = (1.0, 2.0, 5.0, 10.0, 30.0)
"""After failed polls."""
CONFLICT_PAUSE: Final = 15.0
DUTY_PAUSE: Final = 1.0
"""How often a process that does not ask for updates looks whether it is to do so by now."""
DONE_SECONDS: Final = 600.0
"""How long it is remembered, for all processes, that an update has been dealt with."""
SEEN_UPDATES: Final = 2000
BODY_BYTES: Final = 1024 * 1024
