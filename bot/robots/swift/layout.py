"""Where everything stands in the arrays: deals, rules, melds. Names are offsets or columns."""

from typing import Final

NONE: Final = -1
FACES: Final = 53
JOKER: Final = 52
MOST_SEATS: Final = 6
MOST_MELDS: Final = 40

# A deal: one row of int64.
TURN: Final = 0
DRAWN: Final = 1
DREW: Final = 2
BARRED: Final = 3
OWED: Final = 4
ALL_WILD: Final = 5
DISCARDED: Final = 6
IDLE: Final = 7
OVER: Final = 8
CLOSER: Final = 9
STOCK_COUNT: Final = 10
PILE_COUNT: Final = 11
RESERVE_COUNT: Final = 12
MUERTO_COUNT: Final = 13
TAKEN: Final = 14
"""By side: muertos taken."""
UNUSED: Final = 20
"""By side: the faces, as bits, of a muerto that was taken and not used yet; −1: none."""
MELD_COUNT: Final = 26
SIZES: Final = 32
MUERTO_SIZES: Final = 38
HANDS: Final = 48
"""By seat: how many of each face."""
MELDS: Final = HANDS + MOST_SEATS * FACES
"""By side: number and face of the wild of each meld."""
STOCK: Final = MELDS + MOST_SEATS * MOST_MELDS * 2
PILE: Final = STOCK + 176
RESERVE: Final = PILE + 176
MUERTOS: Final = RESERVE + 56
MUERTO_ROOM: Final = 20
DEAL_SIZE: Final = MUERTOS + MOST_SEATS * MUERTO_ROOM

OVER_CLOSED: Final = 1
OVER_STOCK: Final = 2
OVER_IDLE: Final = 3
OVER_STUCK: Final = 4

# A rule set at a table: one row of int64.
SEATS: Final = 0
SIDES: Final = 1
LONE_BARRED: Final = 2
AT_ONCE: Final = 3
THIS_TURN: Final = 4
WILD_NEVER: Final = 5
WILD_NOT_CLOSING: Final = 6
WANTS_CANASTA: Final = 7
WANTS_CLEAN: Final = 8
BY_DISCARD_ONLY: Final = 9
SAME_TURN: Final = 10
THIRD_DECK: Final = 11
MUERTOS_TO_STOCK: Final = 12
WHILE_PILE: Final = 13
LEFT_AT_END: Final = 14
MOST_IDLE: Final = 15
MUERTOS_A_SIDE: Final = 16
SECOND_SET: Final = 17
FIRST_MINIMUM: Final = 18
ALL_WILD_TAKES: Final = 19
NEGATIVE: Final = 20
PENALTY: Final = 21
PENALTY_ALWAYS: Final = 22
UNUSED_PAYS: Final = 23
CLOSING_BONUS: Final = 24
BONUS_NEEDS_CANASTA: Final = 25
SHOWS_ALL: Final = 26
SETS: Final = 27
RUN_MINIMUM: Final = 28
RUN_MAXIMUM: Final = 29
CLOSES_AT: Final = 30
WILD_MELDS: Final = 31
SETS_OF_TWOS: Final = 32
WILDS_A_MELD: Final = 33
JOKERS: Final = 35
"""Jokers in play."""
MUERTO_SIZE: Final = 36
WARN_IDLE: Final = 37
ROUNDS_IDLE: Final = 38
DIRTY: Final = 39
SEMI: Final = 40
CLEAN_BONUS: Final = 41
REAL: Final = 42
ACE_TO_ACE: Final = 43
CLEAN_ACES: Final = 44
DIRTY_ACES: Final = 45
WILDS_BONUS: Final = 46
NUMBERS: Final = 47
"""How many numbers of melds there are: behind them begins what is known of rows."""
POINTS: Final = 64
"""What each face counts."""
RULES_SIZE: Final = POINTS + FACES

# A meld: a row of int64 for each form. A meld's number is its form times four plus its suit (0 where it has none).
SHAPE: Final = 0
LOW: Final = 1
LENGTH: Final = 2
WILD_AT: Final = 3
"""Place of the wild from the lowest card, in runs; −1: none. In sets 0 where there is one."""
WILD_KIND: Final = 4
MELD_POINTS: Final = 5
BONUS: Final = 6
IS_CLEAN: Final = 7
GROWN: Final = 16
"""By class of card: the form with that card more; −1: refused."""
BACK: Final = 32
"""By class of card: whether the old wild comes back to the hand."""
NEWCOMER: Final = 48
"""By class of card: whether that card is the wild from then on."""
BRIDGED: Final = 64
"""By end of a run (0: below, 1: above; four columns each) and kind of wild: the form with the natural two places away
and that wild between; −1: refused."""
MELD_SIZE: Final = 72

RUN: Final = 0
SET: Final = 1
WILDS: Final = 2
WILD_JOKER: Final = 1
WILD_OWN_TWO: Final = 2
WILD_OTHER_TWO: Final = 3
"""Kinds of wilds; 0: none. In sets every 2 is an own one."""
CLASS_TWO: Final = 14
CLASS_JOKER: Final = 15
"""Classes of cards for a meld: 1 to 13 the natural of that rank of its suit (1 in a set: its rank), wild 2, joker.
In a run the 2 of its suit is class 2."""

# New melds: one row of int64.
NEW_RUN: Final = 0
"""By lowest place, place missing (0: none), kind of wild: the form of the shortest run of the rules; −1: none."""
NEW_SET: Final = NEW_RUN + 16 * 8 * 4
"""By rank, number of naturals (2 to 3), kind of wild."""
NEW_WILDS: Final = NEW_SET + 14 * 4 * 4
"""By number of 2s and jokers, three in all."""
NEW_SIZE: Final = NEW_WILDS + 4 * 4

# The outlook of a seat: one row of float64.
O_STAMP: Final = 0
O_EASE: Final = 1
O_TAKES: Final = 2
O_TOTAL: Final = 3
O_WILDS: Final = 4
O_STOCK_ROUNDS: Final = 5
O_ROUNDS: Final = 6
O_LAST: Final = 7
O_COMING: Final = 8
O_WILD_MEAN: Final = 9
O_WILD_CHANCE: Final = 10
O_CAUGHT: Final = 11
O_AVERAGE: Final = 12
O_MATES: Final = 13
O_WILD_SHARE: Final = 14
O_WILD_WORTH: Final = 15
O_SEAT: Final = 16
O_SIDE: Final = 17
O_UNKNOWN: Final = 18
"""Cards that will come to the hand unseen."""
O_SIGN: Final = 19
"""What a point on the own table counts at the end, as the turn begins."""
O_UNSEEN: Final = 32
O_MEAN: Final = 96
O_CHANCE: Final = 160
O_RANK_MEAN: Final = 224
OUTLOOK_SIZE: Final = 240

# What is known of each meld by number: one row of float64 each.
K_STAMP: Final = 0
K_BONUS: Final = 1
K_CANASTA: Final = 2
K_FIT_STAMP: Final = 3
K_FIT: Final = 4
"""By rank (1 to 13): what it is worth to hold the card."""
K_FIT_MASK: Final = 20
"""The ranks that are worth something, as bits."""
KNOWN_SIZE: Final = 64
RUN_ROWS: Final = 2048
"""Further rows of what is known: a stamp and the worth of a row of cards, for each suit and mask of ranks."""

# A hand and the melds of its side, as they may become within a turn: one row of int64.
P_COUNT: Final = 0
P_MELDS: Final = 1
P_OWED: Final = 2
P_POINTS: Final = 3
"""What the cards of the hand count."""
P_PAIRS: Final = 4
"""The ranks of which two or more are held, as bits."""
P_HAND: Final = 8
P_TABLE: Final = 64
"""Number and face of the wild of each meld."""
P_MASK: Final = P_TABLE + 2 * MOST_MELDS
"""By suit: the ranks held, as bits 1 to 13."""
P_RANK: Final = P_MASK + 4
"""By rank: how many are held."""
PLAN_SIZE: Final = P_RANK + 14

# Something to lay: one row of int64.
U_INDEX: Final = 0
"""Which meld it goes on; −1: a new one."""
U_NUMBER: Final = 1
"""What comes of it."""
U_WILD: Final = 2
U_BACK: Final = 3
"""The face that comes back to the hand; −1: none."""
U_COUNT: Final = 4
U_FACES: Final = 5
USE_SIZE: Final = U_FACES + 14
MOST_USES: Final = 160
MOST_STEPS: Final = 30

# The numbers of the sensible robot: one row of float64, in the order of its fields.
W_DRAW_SHARE: Final = 0
W_PACE: Final = 1
W_ROUNDS_LAST: Final = 2
W_ROUNDS_MUERTO: Final = 3
W_ROUNDS_CANASTA: Final = 4
W_CAUGHT_LEAST: Final = 5
W_CAUGHT_ROUNDS: Final = 6
W_CARDS_A_TURN: Final = 7
W_MUERTO_SHARE: Final = 8
W_PARTNER_SHARE: Final = 9
W_MOST_COMING: Final = 10
W_PROSPECT_SHARE: Final = 11
W_WILD_RIVALS: Final = 12
W_WILD_MELD_SHARE: Final = 13
W_CANASTA_ROUNDS: Final = 14
W_WILD_WORTH: Final = 15
W_WILD_ALONE: Final = 16
W_WILD_ROUNDS: Final = 17
W_KEPT: Final = 18
W_WINDOW_WORTH: Final = 19
W_FIT_WORTH: Final = 20
W_FIT_GROWING: Final = 21
W_MUERTO_WORTH: Final = 22
W_MUERTO_CLOSING: Final = 23
W_MUERTO_AT_ONCE: Final = 24
W_MUERTO_CARDS: Final = 25
W_CLOSE_WORTH: Final = 26
W_CLOSE_CARDS: Final = 27
W_CLOSE_PULL: Final = 28
W_EASE_ANY: Final = 29
W_EASE_READY: Final = 30
W_EASE_CLEAN: Final = 31
W_EASE_CLEAN_READY: Final = 32
W_CARD_WORTH: Final = 33
W_TURN_WORTH: Final = 34
W_COVERED_CARD: Final = 35
W_DENIED_CARD: Final = 36
W_DENIED_ALONE: Final = 37
W_TEMPTING_SLOPE: Final = 38
W_TEMPTING_PILE: Final = 39
W_FED: Final = 40
W_FEED_BONUS: Final = 41
W_PILE_CARD: Final = 42
W_TEMPTING: Final = 43
WEIGHTS_SIZE: Final = 44
TRIED: Final = -(1 << 62)

# Habits about the pile: one row of float64.
H_PILE_CARD: Final = 0
H_PILE_MATE: Final = 1
H_PILE_MELD: Final = 2
H_PILE_FIT: Final = 3
H_PILE_WILD: Final = 4
H_PILE_LEAST: Final = 5
H_PILE_DENY: Final = 6
H_PILE_HAND: Final = 7
H_PILE_RACE: Final = 8
H_PILE_UNTAKEN: Final = 9
H_PILE_THREAT: Final = 10
H_PLAN: Final = 11
"""How much it counts what a turn with the pile is worth over one with a card of the stock."""
H_HABIT: Final = 12
"""How much the habits count."""
H_IDLE: Final = 13
"""What the pile must be worth more for each round in which nobody drew, squared."""

# A candidate: one row of int64.
C_KIND: Final = 0
C_FACE: Final = 1
C_USE: Final = 2
CANDIDATE_SIZE: Final = C_USE + USE_SIZE
DRAWS: Final = 0
TAKES: Final = 1
LAYS: Final = 2
THROWS: Final = 3
ENDS: Final = 4
