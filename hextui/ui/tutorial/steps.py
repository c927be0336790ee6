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
class StepState:
    """What the user has done so far in a step.

    ``explain``: the panel that explains who wins. ``screens``: those that are open, the board's
    first. ``first``: the node at which the step began, ``files`` what the folder of the tutorial
    held then.
    """

    main: MainScreen
    explain: ExplainPanel
    screens: Sequence[Screen[Any]]
    first: Node
    files: Mapping[str, int]

    @property
    def session(self) -> Session:
        """The session on the board."""
        return self.main.workspace.session

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
    is_done: Callable[[StepState], bool]
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


def _has_chain(state: StepState) -> bool:
    return state.session.position.winner is Color.BLACK


def _has_swapped(state: StepState) -> bool:
    turn = state.session.node.turn
    return turn is not None and turn.move.kind is MoveKind.SWAP_PIECES


def _is_at_the_end(state: StepState) -> bool:
    session = state.session
    return session.node.ply > 0 and session.next_node is None


def _has_played_a_win(state: StepState) -> bool:
    session = state.session
    verdict = state.main.workspace.verdicts.of(session.position)
    mover = state.first.turn.color.opponent if state.first.turn else Color.BLACK
    return session.node.parent is state.first and verdict is not None and verdict.winner is mover


def _sees_proof(state: StepState) -> bool:
    return state.explain.defended is not None and state.explain.of == state.session.position


def _has_tried(state: StepState) -> bool:
    return state.explain.can_take_back


def _has_added_better(state: StepState) -> bool:
    return len(state.session.node.children) > 1


def _has_solved(state: StepState) -> bool:
    screen = state.screen(PuzzleScreen)
    return screen is not None and screen.is_solved


def _has_moved(state: StepState) -> bool:
    screen = state.screen(PlayScreen)
    return screen is not None and screen.subject.node.ply > 1


def _compares(state: StepState) -> bool:
    compares = state.main.activity_bar.chosen == Activity.COMPARE
    return compares and bool(state.main.workspace.shown.second_evaluator)


def _has_imported(state: StepState) -> bool:
    screen = state.screen(LibraryScreen)
    return screen is not None and screen.changed and bool(screen.query_one(LineList).lines)


def _has_exported(state: StepState) -> bool:
    return files_here() != state.files


STEPS = (
    Step(
        title="The goal",
        text=(
            "{black} joins top and bottom, {white} left and right: finish {black}'s chain.",
            "Arrow keys move the cursor, {play} plays for both sides in turn.",
        ),
        start=partial(_set_up, _CHAIN),
        is_done=_has_chain,
        prepare=_hide_analysis,
    ),
    Step(
        title="The swap rule",
        text=(
            "A strong first stone would win, so {white} may take it over.",
            "{swap} swaps: the stone becomes {white}'s, mirrored.",
        ),
        start=_first_move,
        is_done=_has_swapped,
        prepare=_hide_analysis,
    ),
    Step(
        title="Walk through a game",
        text=(
            "{next} steps to the next move, {previous} steps back.",
            "{last} goes to the last move: who has won?",
        ),
        start=partial(open_sample, 0),
        is_done=_is_at_the_end,
    ),
    Step(
        title="Who wins here",
        text=(
            "The line HERE names the winner and the move that wins.",
            "Press {play-best} to play that move.",
        ),
        start=partial(open_sample, SAMPLE_PLY + 1),
        is_done=_has_played_a_win,
    ),
    Step(
        title="Why",
        text=(
            "{why} shows why {black} wins, and the cells that this needs.",
            "Up and down go through its sentences, the board shows each.",
        ),
        start=partial(open_sample, SAMPLE_PLY + 2),
        is_done=_sees_proof,
    ),
    Step(
        title="Try an intrusion",
        text=(
            "{board}, then {play} on a tinted cell: you try {white}'s move.",
            "{black} answers every try, {undo} takes one back.",
        ),
        start=partial(open_sample, SAMPLE_PLY + 2),
        is_done=_has_tried,
        prepare=_explain,
    ),
    Step(
        title="Find the mistake",
        text=(
            "{worst-move} goes to the move that gave the win away.",
            "{add-better} adds the move that wins.",
        ),
        start=partial(open_sample, 0),
        is_done=_has_added_better,
    ),
    Step(
        title="Solve a puzzle",
        text=("{puzzle} hides the analysis: find the move that wins.",),
        start=_puzzle,
        is_done=_has_solved,
        elsewhere={
            PuzzleScreen: (
                "Arrow keys move the cursor, {enter} tries a move.",
                "{u} takes it back, {s} shows the solution.",
            )
        },
    ),
    Step(
        title="Play a game",
        text=("{train}, then {p} and {enter}: a small game with swap.",),
        start=partial(open_sample, 0),
        is_done=_has_moved,
        elsewhere={
            PlayScreen: (
                "{s} swaps, {n} does not: is the first stone strong?",
                "Then {enter} plays, and you may play on to the end.",
            )
        },
        prepare=_offer_small_game,
    ),
    Step(
        title="Compare evaluators",
        text=(
            "{activity-compare} shows how two evaluators rank the moves.",
            "{second-evaluator} shows the next evaluator.",
        ),
        start=_puzzle,
        is_done=_compares,
    ),
    Step(
        title="Import games",
        text=("{library} opens the library, here one of the tutorial's own.",),
        start=partial(open_sample, 0),
        is_done=_has_imported,
        elsewhere={LibraryScreen: (f"{{i}} imports: type {GAMES} and press {{enter}}.",)},
    ),
    Step(
        title="Export a position",
        text=(
            "{export} saves a picture: {enter} accepts the name.",
            "The ending of the name chooses text, SVG or PNG.",
        ),
        start=partial(open_sample, SAMPLE_PLY),
        is_done=_has_exported,
    ),
)
"""The rules of Hex, then ten steps."""
