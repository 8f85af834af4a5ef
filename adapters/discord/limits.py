"""Discord's limits, and the times that this package keeps."""

from typing import Final

COMPONENTS: Final = 40
"""Components of a message, nested ones included."""
ROW_BUTTONS: Final = 5
OPTIONS: Final = 25
"""Options of a select, choices of an autocomplete."""
TEXT: Final = 4000
"""Characters of all text displays of a message together."""
CONTENT: Final = 2000
BUTTON_LABEL: Final = 80
OPTION_LABEL: Final = 100
PLACEHOLDER: Final = 150
CUSTOM_ID: Final = 100
ALTERNATIVE: Final = 1024
CHOICE_NAME: Final = 100
THREAD_NAME: Final = 100

TOKEN_SECONDS: Final = 14 * 60.0
"""How long an interaction's token is used; Discord takes it for fifteen minutes."""
BOARD_AGE_SECONDS: Final = 50 * 60.0
"""A message that is older is posted anew: edits of old ones are rationed (error 30046)."""
BURIED: Final = 12
"""Messages of others below a table's message, from which on it is posted anew at the bottom."""
REVIVE_SECONDS: Final = 60.0
"""A table's message that is deleted again so soon is not posted anew at once."""
EDITS_A_MINUTE: Final = 40
CLOSED_SECONDS: Final = 60.0
"""How long a place that refused a message is left alone, unless somebody calls from there."""
FILTERED_SECONDS: Final = 3600.0
"""How long a place whose word filter took offence at a name is shown none."""
HANDS_OPEN: Final = 2000
"""Private hands that are kept up to date at once."""
PICKS_KEPT: Final = 2000
"""Messages whose picked cards are remembered; the message itself knows them too."""
