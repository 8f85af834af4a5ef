"""Coins in words: what a table plays for, somebody's purse, and what cannot be paid."""

from collections.abc import Sequence

import msgspec

from bot.model import Table
from bot.presenter.buttons import choice
from bot.screens import Choice, Role, Screen, Style
from bot.stakes.ledger import Cause, Line
from bot.stakes.rules import (
    DAILY,
    LEAST_STAKE,
    MOST_STAKE,
    StakeOutOfRange,
    StakeRefused,
    TooFewCoins,
    points_for,
    prize,
    share_of,
    winners_of,
)
from bot.texts import Texts
from bot.tokens import NO_TABLE, Verb

PLACES_SHOWN = 10


class Purse(msgspec.Struct, frozen=True):
    """What somebody has in a place."""

    mark: str
    balance: int
    lines: tuple[tuple[Line, str], ...] = ()
    """The newest movements, each with the name of its table, where there is one."""
    collects: bool = False
    """Whether today's coins are still there to collect."""


class Earner(msgspec.Struct, frozen=True):
    """A place in the ranking by points."""

    person: str
    name: str
    points: int


def coins(t: Texts, amount: int) -> str:
    """An amount: ``6.000 monedas``."""
    told = t.ngettext("{amount} moneda", "{amount} monedas", amount)
    return told.format(amount=t.number(amount))


def stake_lines(t: Texts, table: Table) -> tuple[str, ...]:
    """What a table plays for, for all to read before they sit down; nothing where nobody plays for coins."""
    if not table.stake:
        return ()
    _ = t.gettext
    winners = table.seating.seats // table.seating.sides
    won = share_of(table.stake * (table.seating.seats - winners), winners)
    told = _("Se juega por monedas: cada quien pone {stake}.").format(stake=coins(t, table.stake))
    gain = _("Quien gana recupera lo suyo y suma {won} y {points} puntos; quien abandona lo pierde.").format(
        won=coins(t, won), points=t.number(points_for(table.stake))
    )
    return told, gain, play_money_text(t)


def play_money_text(t: Texts) -> str:
    """That nothing of it is money."""
    return t.gettext("Las monedas son de juego: no se compran ni se cambian por dinero.")


def won_lines(t: Texts, table: Table, winner: int | None) -> tuple[str, ...]:
    """Who got which coins, once the match is over."""
    if not table.stake or winner is None:
        return ()
    _ = t.gettext
    winners = set(winners_of(table, winner))
    names = [chair.name for chair in table.chairs if chair.person in winners]
    if not names:
        return (_("Nadie del lado que ganó seguía en la mesa: las apuestas vuelven a quienes se quedaron."),)
    won = t.ngettext("{names} gana {won} y {points} puntos.", "{names} ganan {won} y {points} puntos.", len(names))
    return (
        won.format(names=t.listed(names), won=coins(t, prize(table, winner)), points=t.number(points_for(table.stake))),
    )


def forfeit_text(t: Texts, table: Table) -> str:
    """What leaving costs; nothing where nobody plays for coins."""
    if not table.stake:
        return ""
    return t.gettext("Pierdes tu apuesta de {stake}.").format(stake=coins(t, table.stake))


def stake_refused_text(t: Texts, error: StakeRefused) -> str:
    """Why a table cannot be played for coins as was wanted."""
    _ = t.gettext
    if isinstance(error, StakeOutOfRange):
        return _("La apuesta va de {least} a {most}.").format(least=t.number(LEAST_STAKE), most=coins(t, MOST_STAKE))
    if isinstance(error, TooFewCoins):
        return too_few_text(t, error.stake, error.balance)
    return _("Aquí no se juega por monedas. Abre la mesa en un servidor o grupo que las use, o sin apuesta.")


def too_few_text(t: Texts, stake: int, balance: int) -> str:
    """Somebody has less than a table asks for."""
    return t.gettext("Esta mesa pide {stake} y tienes {balance}. Cada día puedes recoger {daily} con /monedas.").format(
        stake=coins(t, stake), balance=t.number(balance), daily=t.number(DAILY)
    )


def cannot_pay_text(t: Texts, name: str) -> str:
    """The match cannot begin: somebody spent their coins at another table meanwhile."""
    return t.gettext("No se puede empezar: a {name} ya no le alcanzan las monedas.").format(name=name)


def no_coins_here_text(t: Texts) -> str:
    """Coins were asked after where there is no server or group."""
    return t.gettext("Las monedas son de cada servidor o grupo: pide /monedas ahí.")


def collected_text(t: Texts, balance: int) -> str:
    """Today's coins have been collected."""
    return t.gettext("+{daily}. Ahora tienes {balance}.").format(daily=t.number(DAILY), balance=coins(t, balance))


def collected_before_text(t: Texts) -> str:
    """Today's coins have been collected already."""
    return t.gettext("Las de hoy ya las recogiste. Vuelve mañana.")


def purse_screen(t: Texts, purse: Purse) -> Screen:
    """Somebody's coins in a place, and where they came from."""
    _ = t.gettext
    lines = [_("Tienes {balance}.").format(balance=coins(t, purse.balance))]
    lines += [_movement(t, line, table) for line, table in purse.lines]
    lines.append(play_money_text(t))
    collect: tuple[Choice, ...] = (
        choice(
            _("Recoger {daily}").format(daily=coins(t, DAILY)),
            NO_TABLE,
            0,
            Verb.COLLECT,
            purse.mark,
            style=Style.GOOD,
            why="" if purse.collects else collected_before_text(t),
        ),
    )
    points = choice(_("Puntos"), NO_TABLE, 0, Verb.POINTS, purse.mark)
    return _reading(_("Tus monedas"), lines, (collect, (points,)))


def _movement(t: Texts, line: Line, table: str) -> str:
    _ = t.gettext
    told = {
        Cause.WELCOME: _("bienvenida"),
        Cause.DAILY: _("las del día"),
        Cause.STAKE: _("apuesta"),
        Cause.SETTLED: _("cobro de la partida"),
        Cause.RETURNED: _("devolución"),
        Cause.MOVED: _("cambio de grupo"),
        Cause.ERASED: _("cuenta borrada"),
    }[line.cause]
    where = _("{what}, {table}").format(what=told, table=table) if table else told
    return _("{day} · {amount} · {what}").format(day=t.day(line.at_ms), amount=t.signed(line.amount), what=where)


def points_screen(t: Texts, earners: Sequence[Earner], mark: str, viewer: str) -> Screen:
    """Who has won most points this season."""
    _ = t.gettext
    lines = [
        _("{number}. {name} · {points}").format(
            number=number,
            name=_("{name} (tú)").format(name=one.name) if one.person == viewer else one.name,
            points=t.ngettext("{points} punto", "{points} puntos", one.points).format(points=t.number(one.points)),
        )
        for number, one in enumerate(earners[:PLACES_SHOWN], 1)
    ]
    if not lines:
        lines = [_("Nadie ha ganado puntos todavía en esta temporada: se ganan en mesas con apuesta.")]
    back = choice(_("Volver"), NO_TABLE, 0, Verb.COINS, mark)
    return _reading(_("Puntos de la temporada"), lines, ((back,),))


def _reading(title: str, lines: Sequence[str], rows: tuple[tuple[Choice, ...], ...]) -> Screen:
    return Screen(Role.READING, "", 0, title, tuple(lines), alternative="\n".join(lines), rows=rows)
