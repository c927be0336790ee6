"""How the game and its present position stand, for the lines at the top and the status line."""

from itertools import pairwise
from typing import TYPE_CHECKING

from rich.style import Style

from hextui.analysis.mistakes import PROVED, win_probability_left
from hextui.engine.board import Board, Color
from hextui.engine.evaluators import improves
from hextui.engine.position import MoveKind, Position
from hextui.engine.ranking import Ranking
from hextui.engine.search.lines import split_literal
from hextui.engine.search.move_scope import ALL_MOVES
from hextui.engine.verdicts import ClaimedWinner
from hextui.engines.snapshot import COMPILING, Snapshot
from hextui.records.board_view import Mode
from hextui.records.record import Record
from hextui.records.tree import Node
from hextui.settings.engine_config import engine_in
from hextui.text import Names
from hextui.ui.drawing.painter import STONES
from hextui.ui.drawing.palette import Palette, contrasting
from hextui.ui.panels.panel import PanelInput
from hextui.ui.record.session import Session, moves_in
from hextui.ui.widgets.frame import BADGE, Status
from hextui.ui.widgets.line_list import BOLD, PLAIN, Span
from hextui.words.verdicts import GameSituation, Preference, Situation, Tone, Wording

if TYPE_CHECKING:
    from hextui.analysis.analyst import Analyst


def game_situation_of(panel_input: PanelInput) -> GameSituation:
    """Return what is proved of the game, and how far its analysis is."""
    survey, progress = panel_input.survey, panel_input.survey.progress
    return GameSituation(
        survey.summary,
        100 * progress.done // progress.total if progress else None,
        len(survey.positions) - 1,
        panel_input.options.names,
    )


def situation_of(panel_input: PanelInput, live: "Analyst") -> Situation:
    """Return what is proved of the current position, or else what is judged of it."""
    session, snapshot = panel_input.session, panel_input.snapshot
    position = session.position
    focus = panel_input.options.evaluator
    following = session.next_node
    played = following.turn if following else None
    passes = played is not None and played.move.kind is MoveKind.PASS
    verdict = panel_input.verdicts.of(position)
    moves = panel_input.verdicts.moves(position)
    judged = None
    if verdict is None or position.first_stone_swappable:
        judged = _judged(snapshot, focus)
    return Situation(
        position=position,
        verdict=verdict,
        moves=moves,
        wins=tuple(moves.wins),
        dispute=panel_input.verdicts.dispute(position),
        claims=_claims(panel_input),
        judged=judged,
        played=played,
        tried=session.next_is_tried,
        ply=following.ply if following else 0,
        place=_place(played.move.cell, snapshot, focus) if played and not verdict else None,
        left=_left(panel_input, judged),
        after=panel_input.verdicts.of(position.pass_turn()) if passes else None,
        lost_by=_lost_by(panel_input),
        doing=_doing(panel_input, live),
        busy=_is_busy(panel_input, live),
        among=_among(snapshot),
        names=panel_input.options.names,
        win_probability_of=panel_input.options.win_probability_of,
    )


def _is_busy(panel_input: PanelInput, live: "Analyst") -> bool:
    """Return whether the position is being analysed, or will be."""
    is_final = panel_input.snapshot is not None and panel_input.snapshot.final
    return live.on and not live.skips(panel_input.session.position) and not is_final


def _among(snapshot: Snapshot | None) -> int | None:
    """Return how many moves are considered; None for all."""
    if snapshot is None or snapshot.scope == ALL_MOVES:
        return None
    return moves_in(snapshot.scope, snapshot.position)


def _claims(panel_input: PanelInput) -> tuple[ClaimedWinner, ...]:
    """Return what files and attached engines claim about the current position."""
    position, snapshot = panel_input.session.position, panel_input.snapshot
    claims = panel_input.survey.estimates.claims(position)
    if snapshot is None or panel_input.verdicts.of(position) is not None:
        return claims
    attached = [report for name, report in snapshot.reports.items() if engine_in(name) is not None]
    live = [report.claim for report in attached if report.claim is not None]
    return (*claims, *live)


def _lost_by(panel_input: PanelInput) -> str:
    """Return the last of the moves by which a proved win is lost, if they begin here, or ''."""
    position = panel_input.session.position
    verdict = panel_input.verdicts.of(position)
    if verdict is None or verdict.winner is not position.to_move:
        return ""
    following = panel_input.session.next_node
    if following is None or following.turn is None:
        return ""
    if all(earlier.next_node is not following for earlier in panel_input.survey.positions):
        return ""  # in a variation
    if panel_input.verdicts.moves(position).by_cell.get(following.turn.move.cell) is not None:
        return ""
    return _loss_beginning_with(following, panel_input)


def _loss_beginning_with(following: Node, panel_input: PanelInput) -> str:
    """Return the last of several moves by which a win is lost, the first at this node, or ''."""
    for entry in panel_input.survey.mistakes(panel_input.options.evaluator):
        if entry.by == PROVED and entry.moves[0].ply == following.ply and len(entry.moves) > 1:
            last = entry.moves[-1]
            return f"{last.ply}. {panel_input.session.board.name(last.cell)}"
    return ""


def _judged(snapshot: Snapshot | None, focus: str) -> Preference | None:
    """Return what the search of lines prefers; until it has results, what a ranking does."""
    if snapshot is None:
        return None
    if (engine := _searching_engine(snapshot)) is not None:
        report = snapshot.reports.get(snapshot.lines_by)
        if report and report.moves:
            return Preference(
                by=engine,
                best=report.moves[0].cell,
                win_probability=report.winrate,
                visits=report.visits,
                swap=report.swap,
            )
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
        if (ranking := snapshot.rankings.get(name)) is not None:
            return ranking
    return None


def _place(cell: int, snapshot: Snapshot | None, focus: str) -> tuple[int, str] | None:
    """Return the place of a move among the lines found, or in the ranking in focus."""
    if snapshot is None:
        return None
    firsts = _first_moves(snapshot)
    if cell in firsts:
        return firsts.index(cell) + 1, f"minimax({snapshot.lines_by})"
    if _searching_engine(snapshot) is not None:
        report = snapshot.reports.get(snapshot.lines_by)
        ranking = report.ranking if report else None
    else:
        ranking = _in_focus(snapshot, focus)
    move = ranking.by_cell.get(cell) if ranking else None
    return (move.rank, ranking.evaluator) if ranking and move else None


def _first_moves(snapshot: Snapshot) -> list[int]:
    """Return the first moves of the lines found, best first, each once."""
    if snapshot.lines is None or _searching_engine(snapshot) is not None:
        return []
    lines = snapshot.lines.lines
    return list(dict.fromkeys(line.moves.numbers[0] for line in lines if line.moves))


def _left(panel_input: PanelInput, judged: Preference | None) -> float | None:
    """Return the mover's win probability after the record's move by the search of lines, if any."""
    survey, snapshot = panel_input.survey, panel_input.snapshot
    if snapshot is None or judged is None or judged.win_probability is None:
        return None
    for current, following in pairwise(survey.line):
        if current.node is panel_input.session.node:
            return win_probability_left(current, following, survey.estimates, snapshot.lines_by)
    return None


def _searching_engine(snapshot: Snapshot) -> str | None:
    """Return the search that evaluates lines, of an attached engine or ours; None without one."""
    name = snapshot.lines_by
    return name if improves(name) else engine_in(name)


def _doing(panel_input: PanelInput, live: "Analyst") -> Wording:
    """Return the state of the analysis where nothing is proved, in words."""
    if not live.possible:
        return ("There is no analysis here.",)
    if not live.on:
        return _doubtful("The analysis is off: Space switches it on.", "Analysis off: Space.")
    snapshot = panel_input.snapshot
    if snapshot is None and live.only and live.skips(panel_input.session.position):
        whose = panel_input.options.names.player(live.only)
        return _doubtful(f"Only {whose}'s moves are analysed: ; changes that.", "Not analysed: ;")
    if snapshot is not None and snapshot.final:
        return ("Nothing proved.",)
    label = snapshot.progress.label.rstrip(",") if snapshot else ""
    return (*([f"Nothing proved yet: {label}."] if label else []), "Nothing proved yet.")


def _doubtful(*texts: str) -> Wording:
    return tuple((text, Tone.DOUBTFUL) for text in texts)


def status_of(
    panel_input: PanelInput, live: "Analyst", hides_comment: bool, tries: bool = False
) -> Status:
    """Return what the status line says; ``hides_comment``: the record's panel is not shown.

    ``tries``: moves on the board are tried against a proof.
    """
    session = panel_input.session
    names = panel_input.options.names
    player = names.player
    node = session.node
    position = session.position
    siblings = len(node.siblings)
    parts: list[tuple[int, tuple[Span, ...]]] = [(2, ((_last_move(session, names), PLAIN),))]
    if not tries:  # while moves are tried, the loser's are asked for
        parts.append((0, _turn(position.to_move, panel_input.palette, names)))
    if session.mode is not Mode.PLAY:
        parts.append((1, _mode(session, names)))
    if tries:
        parts.append((1, ((" TRY ", BADGE), (" moves are answered, not played", PLAIN))))
    elif panel_input.winner is not None:
        won = "has won" if position.winner else "wins"
        parts.append((1, ((f"{player(panel_input.winner)} {won}", BOLD),)))
    if node.comment and hides_comment:
        parts.append((2, (("comment: F4", PLAIN),)))
    if siblings > 1:
        parts.append((4, ((f"variation {node.index + 1} of {siblings}", PLAIN),)))
    parts.append((3, ((f"cursor {session.board.name(session.cursor)}", PLAIN),)))
    off = live.possible and not live.on
    return Status(tuple(parts), progress_text(live, position), live.stale(position), off)


def _turn(mover: Color, palette: Palette, names: Names) -> tuple[Span, ...]:
    """Return the stone of the side to move, and its name."""
    color = palette.stones[mover - 1]
    stone = STONES[mover] if palette.letters else "  "
    style = Style(color=contrasting(color), bgcolor=color, bold=True)
    return (f" {stone} ", style), (f" {names.player(mover)} to move", BOLD)


def _last_move(session: Session, names: Names) -> str:
    node = session.node
    if node.turn:
        return f"{node.ply}. {node.turn.name(session.board)} ({names.player(node.turn.color)})"
    return f"after {node.ply}" if node.ply else "start"


def _mode(session: Session, names: Names) -> tuple[Span, ...]:
    """Return the mode in which keys and clicks do not play, and what they do."""
    if session.mode is Mode.REGION:
        return (" REGION ", BADGE), (f" marks {session.search_marks.brush}", PLAIN)
    placed = names.player(session.placing) if session.placing else "nothing"
    return (" SETUP ", BADGE), (f" places {placed}", PLAIN)


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
    texts = [str(record.board), shown]
    texts.append(names.result(record.result.winner, record.result.how))
    texts += map(record.info, ("EV", "DT"))
    return tuple(text for text in texts if text)


def first_run(snapshot: Snapshot | None, board: Board) -> str:
    """Return how far the engine is compiled on a first run; '' if nothing is being compiled."""
    progress = snapshot.progress if snapshot and not snapshot.final else None
    if progress is None or progress.label != COMPILING:
        return ""
    return f"First run: compiling for {board}, {progress.amount}. You can play."
