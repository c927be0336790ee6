"""The steps of the tutorial as data: what each asks for, where it begins, and when it is done."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from textual.screen import Screen

from hextui.engine.board import Board, Color
from hextui.engine.position import Move, MoveKind
from hextui.records.codecs.sgf import read_sgf
from hextui.records.record import Record
from hextui.records.tree import Node
from hextui.train.play_settings import PlaySettings
from hextui.train.puzzle import BUILT_IN_FILE
from hextui.ui.app.layout import Activity
from hextui.ui.app.main_screen import MainScreen
from hextui.ui.panels.explain_panel import ExplainPanel
from hextui.ui.record.files import SAMPLE_PLY, open_sample, open_session
from hextui.ui.record.session import Session
from hextui.ui.screens.library_screen import LibraryScreen
from hextui.ui.screens.play_screen import PlayScreen
from hextui.ui.screens.puzzle_screen import PuzzleScreen
from hextui.ui.widgets.line_list import LineList

S = TypeVar("S", bound=Screen[Any])
GAMES = "games.sgf"
"""The file in the tutorial's folder that the user imports."""
RULES = 2
"""How many steps explain the rules; the others are numbered from 1."""
_CHAIN = "(;FF[4]GM[11]SZ[4]AB[c2][b3]AW[a2][d3]PL[B]GN[The goal])"
_PUZZLE = 10
_SMALL = Board(5, 5)


@dataclass(frozen=True)
class Seen:
    """What the user has done so far in a step.

    ``screens``: those that are open, the board's first. ``first``: the node at which the step
    began, ``files`` what the folder of the tutorial held then.
    """

    main: MainScreen
    screens: Sequence[Screen[Any]]
    first: Node
    files: Mapping[str, int]

    @property
    def session(self) -> Session:
        """The session on the board."""
        return self.main.workspace.session

    @property
    def explain(self) -> ExplainPanel:
        """The panel that explains who wins."""
        return self.main.query_one(ExplainPanel)

    def screen(self, kind: type[S]) -> S | None:
        """Return the open screen of a kind, None without one."""
        return next((screen for screen in self.screens if isinstance(screen, kind)), None)


def files_here() -> dict[str, int]:
    """Return the files of the current folder, and when each was changed, in nanoseconds."""
    return {path.name: path.stat().st_mtime_ns for path in Path().iterdir()}


@dataclass(frozen=True)
class Step:
    """One step: at most two sentences for the board, and others for another screen.

    Keys are in braces: on the board as ids of actions, elsewhere as they are pressed. ``{black}``
    and ``{white}`` stand for the players. ``start`` makes the session of the step, ``prepare`` does
    the rest; ``is_done`` says whether the user has done it. ``elsewhere``: sentences by the class
    of another screen.
    """

    title: str
    text: tuple[str, ...]
    start: Callable[[], Session]
    is_done: Callable[[Seen], bool]
    elsewhere: Mapping[type[Screen[Any]], tuple[str, ...]] = field(default_factory=dict)
    prepare: Callable[[MainScreen], None] = lambda main: None


def _set_up(sgf: str) -> Session:
    return Session(read_sgf(sgf), name="The goal")


def _first_move() -> Session:
    board = Board(5, 5)
    session = Session(Record.of_moves(board, [Move.parse("c3", board)]), name="The swap rule")
    session.last()
    return session


def _puzzle() -> Session:
    return open_session(str(BUILT_IN_FILE), _PUZZLE)


def _hide_analysis(main: MainScreen) -> None:
    main.action_do("analysis")


def _explain(main: MainScreen) -> None:
    main.action_do("why")


def _offer_small_game(main: MainScreen) -> None:
    main.game_actions.play_settings = PlaySettings(
        opponent="level:1", size=_SMALL, color=Color.WHITE
    )


def _has_chain(seen: Seen) -> bool:
    return seen.session.position.winner is Color.BLACK


def _has_swapped(seen: Seen) -> bool:
    turn = seen.session.node.turn
    return turn is not None and turn.move.kind is MoveKind.SWAP_PIECES


def _is_at_the_end(seen: Seen) -> bool:
    session = seen.session
    return session.node.ply > 0 and session.next_node is None


def _has_played_a_win(seen: Seen) -> bool:
    session = seen.session
    verdict = seen.main.workspace.verdicts.of(session.position)
    mover = seen.first.turn.color.opponent if seen.first.turn else Color.BLACK
    return session.node.parent is seen.first and verdict is not None and verdict.winner is mover


def _sees_proof(seen: Seen) -> bool:
    return seen.explain.defended is not None and seen.explain.of == seen.session.position


def _has_tried(seen: Seen) -> bool:
    return seen.explain.can_take_back


def _has_added_better(seen: Seen) -> bool:
    return len(seen.session.node.children) > 1


def _has_solved(seen: Seen) -> bool:
    screen = seen.screen(PuzzleScreen)
    return screen is not None and screen.is_solved


def _has_moved(seen: Seen) -> bool:
    screen = seen.screen(PlayScreen)
    return screen is not None and screen.subject.node.ply > 1


def _compares(seen: Seen) -> bool:
    compares = seen.main.activity_bar.chosen == Activity.COMPARE
    return compares and bool(seen.main.workspace.shown.second_evaluator)


def _has_imported(seen: Seen) -> bool:
    screen = seen.screen(LibraryScreen)
    return screen is not None and screen.changed and bool(screen.query_one(LineList).lines)


def _has_exported(seen: Seen) -> bool:
    return files_here() != seen.files


STEPS = (
    Step(
        "The goal",
        (
            "{black} joins top and bottom, {white} left and right: finish {black}'s chain.",
            "Arrow keys move the cursor, {play} plays for both sides in turn.",
        ),
        partial(_set_up, _CHAIN),
        _has_chain,
        prepare=_hide_analysis,
    ),
    Step(
        "The swap rule",
        (
            "A strong first stone would win, so {white} may take it over.",
            "{swap} swaps: the stone becomes {white}'s, mirrored.",
        ),
        _first_move,
        _has_swapped,
        prepare=_hide_analysis,
    ),
    Step(
        "Walk through a game",
        (
            "{next} steps to the next move, {previous} steps back.",
            "{last} goes to the last move: who has won?",
        ),
        partial(open_sample, 0),
        _is_at_the_end,
    ),
    Step(
        "Who wins here",
        ("The line HERE names the winner and the move that wins.", "{play-best} plays that move."),
        partial(open_sample, SAMPLE_PLY + 1),
        _has_played_a_win,
    ),
    Step(
        "Why",
        (
            "{why} shows why {black} wins, and the cells that this needs.",
            "Up and down go through its sentences, the board shows each.",
        ),
        partial(open_sample, SAMPLE_PLY + 2),
        _sees_proof,
    ),
    Step(
        "Try an intrusion",
        (
            "{board}, then {play} on a tinted cell: you try {white}'s move.",
            "{black} answers every try, {undo} takes one back.",
        ),
        partial(open_sample, SAMPLE_PLY + 2),
        _has_tried,
        prepare=_explain,
    ),
    Step(
        "Find the mistake",
        (
            "{worst-move} goes to the move that gave the win away.",
            "{add-better} adds the move that wins.",
        ),
        partial(open_sample, 0),
        _has_added_better,
    ),
    Step(
        "Solve a puzzle",
        ("{puzzle} hides the analysis: find the move that wins.",),
        _puzzle,
        _has_solved,
        {
            PuzzleScreen: (
                "Arrow keys move the cursor, {enter} tries a move.",
                "{u} takes it back, {s} shows the solution.",
            )
        },
    ),
    Step(
        "Play a game",
        ("{train}, then {p} and {enter}: a small game with swap.",),
        partial(open_sample, 0),
        _has_moved,
        {
            PlayScreen: (
                "{s} swaps, {n} does not: is the first stone strong?",
                "Then {enter} plays, and you may play on to the end.",
            )
        },
        prepare=_offer_small_game,
    ),
    Step(
        "Compare evaluators",
        (
            "{activity-compare} shows how two evaluators rank the moves.",
            "{second-evaluator} shows the next evaluator.",
        ),
        _puzzle,
        _compares,
    ),
    Step(
        "Import games",
        ("{library} opens the library, here one of the tutorial's own.",),
        partial(open_sample, 0),
        _has_imported,
        {LibraryScreen: (f"{{i}} imports: type {GAMES} and press {{enter}}.",)},
    ),
    Step(
        "Export a position",
        (
            "{export} saves a picture: {enter} accepts the name.",
            "The ending of the name chooses text, SVG or PNG.",
        ),
        partial(open_sample, SAMPLE_PLY),
        _has_exported,
    ),
)
"""The rules of Hex, then ten steps."""
