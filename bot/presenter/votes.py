"""Votes: what is asked on the public table, what may be proposed, and what became of it."""

from bot.model import Pace, Person, Status, Table, Vote, VoteKind
from bot.presenter.asking import question_screen
from bot.presenter.buttons import choice
from bot.presenter.words import pace_name
from bot.screens import Choice, Screen, Style
from bot.substitutes import robot_seats
from bot.texts import Texts
from bot.tokens import Intent, Verb, base36
from bot.votes import voters

Rows = tuple[tuple[Choice, ...], ...]


# on the public table


def vote_lines(t: Texts, table: Table) -> tuple[str, ...]:
    """What is being decided and how it stands; else what became of the last question."""
    _ = t.gettext
    vote = table.vote
    if table.status is not Status.PLAYING:
        return ()
    if vote is None:
        return () if table.past_vote is None else (_past(t, table.past_vote),)
    if vote.carried:
        told = _("{name} toma el asiento de {other} cuando termine este turno.")
        return (told.format(name=vote.by_name, other=vote.seat_name),)
    if vote.kind is VoteKind.SEAT:
        return (_question(t, vote) + " " + _deciding(t, table, vote),)
    who = voters(table, vote)
    yes, no = (sum(person in who for person in said) for said in (vote.yes, vote.no))
    return (
        _question(t, vote),
        _("Van {yes} a favor y {no} en contra; deciden {names}.").format(
            yes=yes, no=no, names=t.listed(_names(table, who))
        ),
    )


def _question(t: Texts, vote: Vote) -> str:
    _ = t.gettext
    told = {
        VoteKind.END: _("{name} propone terminar la partida sin resultado."),
        VoteKind.EXPEL: _("{name} propone que {other} deje la partida y siga un robot."),
        VoteKind.PACE: _("{name} propone seguir a otro ritmo: {pace}."),
        VoteKind.SEAT: _("{name} quiere tomar el asiento de {other}."),
    }
    pace = pace_name(t, vote.pace or Pace.FREE)
    return told[vote.kind].format(name=vote.by_name, other=vote.seat_name, pace=pace)


def _deciding(t: Texts, table: Table, vote: Vote) -> str:
    _ = t.gettext
    who = voters(table, vote)
    if len(who) == 1:
        return _("Decide {name}.").format(name=_names(table, who)[0])
    return _("Decide cualquiera de la mesa.")


def _names(table: Table, who: tuple[str, ...]) -> list[str]:
    return [chair.name for chair in table.chairs if chair.person in who]


def _past(t: Texts, vote: Vote) -> str:
    _ = t.gettext
    return _question(t, vote) + " " + (_("Salió que sí.") if vote.carried else _("No salió."))


def vote_rows(t: Texts, table: Table, version: int) -> Rows:
    """The buttons of the question that is open."""
    _ = t.gettext
    vote = table.vote
    if vote is None or vote.carried or table.status is not Status.PLAYING:
        return ()
    number = base36(vote.number)
    return (
        (
            choice(_("Sí"), table.id, version, Verb.VOTE, number, "1", style=Style.GOOD),
            choice(_("No"), table.id, version, Verb.VOTE, number, "0", style=Style.DANGER),
        ),
    )


# behind the menu


def decision_rows(t: Texts, table: Table, version: int, person: Person) -> list[tuple[Choice, ...]]:
    """What a person may propose or take over at a table, in its menu."""
    _ = t.gettext
    if table.seat_of(person.id) is None:
        return list(seat_rows(t, table, version))
    row: list[Choice] = []
    if table.status is Status.PLAYING and len(table.people) > 1:
        row.append(choice(_("Proponer algo"), table.id, version, Verb.PROPOSE))
    if table.status in (Status.LOBBY, Status.PLAYING) and table.host == person.id and len(table.people) > 1:
        row.append(choice(_("Ceder la mesa"), table.id, version, Verb.HAND_OVER))
    return [tuple(row)] if row else []


def seat_rows(t: Texts, table: Table, version: int) -> Rows:
    """The seats that somebody who only watches may take over, or ask for."""
    taking = t.gettext("Tomar el asiento de {name}")
    seats = [(seat, table.chairs[seat].name) for seat in robot_seats(table)]
    return tuple(
        (choice(taking.format(name=name), table.id, version, Verb.TAKE_SEAT, str(seat)),) for seat, name in seats
    )


def proposals_screen(t: Texts, table: Table, version: int, person: Person) -> Screen:
    """Ask what is proposed to the others."""
    _ = t.gettext
    ending = choice(_("Terminar la partida sin resultado"), table.id, version, Verb.PROPOSE, "e")
    leaving = [
        choice(_("Que {name} deje la partida").format(name=chair.name), table.id, version, Verb.PROPOSE, "x", str(seat))
        for seat, chair in enumerate(table.chairs)
        if chair.person not in (None, person.id) and not table.stake
    ]
    paces = [
        choice(_("Seguir a ritmo {pace}").format(pace=pace_name(t, pace)), table.id, version, Verb.PROPOSE, "p", pace)
        for pace in Pace
        if pace is not table.pace
    ]
    told = _("¿Qué propones? Deciden los demás que estén en la mesa, por mayoría.")
    return _asking(t, table, version, told, [ending, *leaving, *paces])


def handing_screen(t: Texts, table: Table, version: int, person: Person) -> Screen:
    """Ask to whom the host hands the table over."""
    _ = t.gettext
    others = [
        choice(_("Ceder la mesa a {name}").format(name=chair.name), table.id, version, Verb.HAND_OVER, str(seat))
        for seat, chair in enumerate(table.chairs)
        if chair.person not in (None, person.id) and not chair.absent
    ]
    told = _("¿Quién dirige la mesa desde ahora?") if others else _("No hay nadie más en la mesa.")
    return _asking(t, table, version, told, others)


def _asking(t: Texts, table: Table, version: int, told: str, choices: list[Choice]) -> Screen:
    back = Verb.SHOW_TABLE if table.status is Status.LOBBY else Verb.MENU
    return question_screen(t, table, version, told, choices, back)


def decision_text(t: Texts, before: Table, after: Table, intent: Intent) -> str:
    """What a press that decides something has done; empty for other presses."""
    _ = t.gettext
    if intent.verb is Verb.HAND_OVER:
        names = _names(after, (after.host or "",))
        return _("Ahora dirige la mesa {name}.").format(name=names[0] if names else "")
    if intent.verb is Verb.PROPOSE:
        return _("Propuesto: deciden los demás, en la mesa.")
    if intent.verb is Verb.TAKE_SEAT:
        if after.vote is None or after.vote == before.vote:
            return _("¡A jugar! El asiento es tuyo.")
        if after.vote.carried:
            return _("El asiento es tuyo en cuanto termine este turno.")
        return _("Pedido: decide quien dirige la mesa, o cualquiera de ella si no está.")
    if intent.verb is not Verb.VOTE:
        return ""
    if after.vote is not None:
        return _("Tu voto cuenta. Puedes cambiarlo hasta que se decida.")
    carried = after.past_vote is not None and after.past_vote.carried
    return _("Decidido: sí.") if carried else _("Decidido: no.")
