"""How the game and its present position stand, for the lines at the top and the status line."""

from itertools import pairwise
from typing import TYPE_CHECKING

from rich.style import Style

from hextui.analysis.mistakes import PROVED, win_probability_left
from hextui.engine.board import Board
from hextui.engine.evaluators import improves
from hextui.engine.position import MoveKind, Position
from hextui.engine.ranking import Ranking
from hextui.engine.search.lines import split_literal
from hextui.engine.search.move_scope import ALL_MOVES
from hextui.engine.verdicts import ClaimedWinner
from hextui.engines.snapshot import COMPILING, Snapshot
from hextui.records.board_view import Mode
from hextui.records.record import Record
from hextui.settings.engine_config import engine_in
from hextui.text import Names
from hextui.ui.drawing.painter import STONES
from hextui.ui.drawing.palette import contrasting
from hextui.ui.panels.panel import PanelInput
from hextui.ui.record.session import moves_in
from hextui.ui.widgets.frame import BADGE, Status
from hextui.ui.widgets.line_list import BOLD, PLAIN, Span
from hextui.words.verdicts import GameSituation, Preference, Situation, Tone, Wording

if TYPE_CHECKING:
    from hextui.analysis.analyst import Analyst


def game_situation_of(known: PanelInput) -> GameSituation:
    """Return what is proved of the game, and how far its analysis is."""
    survey, progress = known.survey, known.survey.progress
    return GameSituation(
        survey.summary,
        100 * progress.done // progress.total if progress else None,
        len(survey.positions) - 1,
        known.options.names,
    )


def situation_of(known: PanelInput, live: "Analyst") -> Situation:
    """Return what is proved of the current position, or else what is judged of it."""
    position, snapshot = known.session.position, known.snapshot
    focus, following = known.options.evaluator, known.session.next_node
    played = following.turn if following else None
    verdict = known.verdicts.of(position)
    moves = known.verdicts.moves(position)
    judged = None
    if verdict is None or position.first_stone_swappable:
        judged = _judged(snapshot, focus)
    puts_none = played is not None and played.move.kind is MoveKind.PASS
    scope = snapshot.scope if snapshot else ALL_MOVES
    return Situation(
        position=position,
        verdict=verdict,
        moves=moves,
        wins=tuple(moves.wins),
        dispute=known.verdicts.dispute(position),
        claims=_claims(known),
        judged=judged,
        played=played,
        tried=known.session.next_is_tried,
        ply=following.ply if following else 0,
        place=_place(played.move.cell, snapshot, focus) if played and not verdict else None,
        left=_left(known) if judged and judged.win_probability is not None else None,
        after=known.verdicts.of(position.pass_turn()) if puts_none else None,
        lost_by=_lost_by(known) if verdict and verdict.winner is position.to_move else "",
        doing=_doing(known, live),
        busy=live.on and not live.skips(position) and not (snapshot and snapshot.final),
        among=None if scope == ALL_MOVES else moves_in(scope, position),
        names=known.options.names,
        win_probability_of=known.options.win_probability_of,
    )


def _claims(known: PanelInput) -> tuple[ClaimedWinner, ...]:
    """Return what files and attached engines claim about the current position."""
    position, snapshot = known.session.position, known.snapshot
    claims = known.survey.estimates.claims(position)
    if snapshot is None or known.verdicts.of(position) is not None:
        return claims
    attached = [one for name, one in snapshot.reports.items() if engine_in(name) is not None]
    live = [one.claim for one in attached if one.claim is not None]
    return (*claims, *live)


def _lost_by(known: PanelInput) -> str:
    """Return the last of the moves by which a proved win is lost, if they begin here, or ''."""
    following = known.session.next_node
    if following is None or following.turn is None:
        return ""
    if all(here.next_node is not following for here in known.survey.positions):
        return ""  # in a variation
    cell = following.turn.move.cell
    if known.verdicts.moves(known.session.position).by_cell.get(cell) is not None:
        return ""
    for entry in known.survey.mistakes(known.options.evaluator):
        if entry.by == PROVED and entry.moves[0].ply == following.ply and len(entry.moves) > 1:
            last = entry.moves[-1]
            return f"{last.ply}. {known.session.board.name(last.cell)}"
    return ""


def _judged(snapshot: Snapshot | None, focus: str) -> Preference | None:
    """Return what the search of lines prefers; until it has results, what a ranking does."""
    if snapshot is None:
        return None
    if (engine := _searching_engine(snapshot)) is not None:
        found = snapshot.reports.get(snapshot.lines_by)
        if found and found.moves:
            best = found.moves[0].cell
            return Preference(engine, best, found.winrate, found.visits, found.swap)
    elif snapshot.lines is not None and snapshot.lines.lines:
        return Preference(f"minimax({snapshot.lines_by})", snapshot.lines.lines[0].moves.numbers[0])
    if (ranking := _in_focus(snapshot, focus)) is None or not ranking.moves:
        return None
    first = ranking.moves[0]
    if ranking.swap is None:
        return Preference(ranking.evaluator, first.cell)
    return Preference(ranking.evaluator, first.cell, first.value, swap=ranking.swap.value)


def _in_focus(snapshot: Snapshot, focus: str) -> Ranking | None:
    """Return the ranking in focus; while it is late, that for lines, or the first one."""
    for name in (focus, split_literal(snapshot.lines_by)[0], snapshot.ranking_for(focus)):
        if (found := snapshot.rankings.get(name)) is not None:
            return found
    return None


def _place(cell: int, snapshot: Snapshot | None, focus: str) -> tuple[int, str] | None:
    """Return the place of a move among the lines found, or in the ranking in focus."""
    if snapshot is None:
        return None
    if snapshot.lines is not None:
        firsts = list(
            dict.fromkeys(line.moves.numbers[0] for line in snapshot.lines.lines if line.moves)
        )
        if cell in firsts:
            return firsts.index(cell) + 1, f"minimax({snapshot.lines_by})"
    if _searching_engine(snapshot) is not None:
        report = snapshot.reports.get(snapshot.lines_by)
        ranking = report.ranking if report else None
    else:
        ranking = _in_focus(snapshot, focus)
    move = ranking.by_cell.get(cell) if ranking else None
    return (move.rank, ranking.evaluator) if ranking and move else None


def _left(known: PanelInput) -> float | None:
    """Return the mover's win probability after the record's move by the search of lines, if any."""
    survey, snapshot = known.survey, known.snapshot
    if snapshot is None:
        return None
    for here, following in pairwise(survey.line):
        if here.node is known.session.node:
            return win_probability_left(here, following, survey.estimates, snapshot.lines_by)
    return None


def _searching_engine(snapshot: Snapshot) -> str | None:
    """Return the search that evaluates lines, of an attached engine or ours; None without one."""
    name = snapshot.lines_by
    return name if improves(name) else engine_in(name)


def _doing(known: PanelInput, live: "Analyst") -> Wording:
    if not live.possible:
        return ("There is no analysis in this run.",)
    if not live.on:
        texts = "The analysis is off: Space switches it on.", "Analysis off: Space."
        return tuple((text, Tone.DOUBTFUL) for text in texts)
    snapshot = known.snapshot
    if snapshot is None and live.only and live.skips(known.session.position):
        whose = known.options.names.player(live.only)
        texts = f"Only {whose}'s moves are analysed: ; changes that.", "Not analysed: ;"
        return tuple((text, Tone.DOUBTFUL) for text in texts)
    if snapshot is not None and snapshot.final:
        return ("Nothing proved.",)
    label = snapshot.progress.label.rstrip(",") if snapshot else ""
    return (*([f"Nothing proved yet: {label}."] if label else []), "Nothing proved yet.")


def status_of(
    known: PanelInput, live: "Analyst", hides_comment: bool, tries: bool = False
) -> Status:
    """Return what the status line says; ``hides_comment``: the record's panel is not shown.

    ``tries``: moves on the board are tried against a proof.
    """
    session = known.session
    player = known.options.names.player
    palette = known.palette
    node = session.node
    position = session.position
    mover = session.position.to_move
    moved = f"after {node.ply}" if node.ply else "start"
    if node.turn:
        moved = f"{node.ply}. {node.turn.name(session.board)} ({player(node.turn.color)})"
    color = palette.stones[mover - 1]
    stone = f" {STONES[mover] if palette.letters else '  '} "
    stone_style = Style(color=contrasting(color), bgcolor=color, bold=True)
    turn = (stone, stone_style), (f" {player(mover)} to move", BOLD)
    siblings = len(node.siblings)
    parts: list[tuple[int, tuple[Span, ...]]] = [(2, ((moved, PLAIN),))]
    if not tries:  # while moves are tried, the loser's are asked for
        parts.append((0, turn))
    if session.mode is Mode.SETUP:
        placed = player(session.placing) if session.placing else "nothing"
        parts.append((1, ((" SETUP ", BADGE), (f" places {placed}", PLAIN))))
    if session.mode is Mode.REGION:
        marks = f" marks {session.search_marks.brush}"
        parts.append((1, ((" REGION ", BADGE), (marks, PLAIN))))
    if tries:
        parts.append((1, ((" TRY ", BADGE), (" moves are answered, not played", PLAIN))))
    elif known.winner is not None:
        won = "has won" if position.winner else "wins"
        parts.append((1, ((f"{player(known.winner)} {won}", BOLD),)))
    if node.comment and hides_comment:
        parts.append((2, (("comment: F4", PLAIN),)))
    if siblings > 1:
        parts.append((4, ((f"variation {node.index + 1} of {siblings}", PLAIN),)))
    parts.append((3, ((f"cursor {session.board.name(session.cursor)}", PLAIN),)))
    off = live.possible and not live.on
    return Status(tuple(parts), progress_text(live, position), live.stale(position), off)


def progress_text(live: "Analyst", position: Position) -> str:
    """Return the state of the analysis of a position, for the status line."""
    if not live.possible:
        return "no analysis"
    if not live.on:
        return "analysis off: Space"
    snapshot = live.of(position)
    if snapshot is None:
        return "side not analysed: ;" if live.skips(position) else "starting"
    if snapshot.error:
        return "analysis failed"
    if snapshot.final:
        return "analysed"
    progress = snapshot.progress
    share = f" {100 * progress.done // progress.total}%" if progress.total else ""
    left = "" if progress.seconds_left is None else f", about {progress.seconds_left} s left"
    return f"{progress.label}{share}{left}"


def about_game(record: Record, names: Names) -> tuple[str, ...]:
    """Return what the title says of a game, the most important first."""
    players = [record.info("PB"), record.info("PW")]
    shown = " - ".join(players) if any(players) else ""
    if record.origin and record.origin.guessed_charset:
        shown = f"{shown} ({record.origin.guessed_charset}?)".strip()
    known = [str(record.board), shown]
    known.append(names.result(record.result.winner, record.result.how))
    known += map(record.info, ("EV", "DT"))
    return tuple(text for text in known if text)


def first_run(snapshot: Snapshot | None, board: Board) -> str:
    """Return how far the engine is compiled on a first run; '' if nothing is being compiled."""
    progress = snapshot.progress if snapshot and not snapshot.final else None
    if progress is None or progress.label != COMPILING:
        return ""
    return f"First run: compiling for {board}, {progress.amount}. You can play."
