"""Collections of puzzles: made from games by a run that can be interrupted, and checked.

A run has one task a game. Its rows, and so the collection, depend on the games and the settings
alone. Of puzzles that differ only by symmetry, or in stones that the winner does not need, the
first one is kept.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import product

from hextui.analysis.game_positions import record_key
from hextui.engine.board import Board, Color
from hextui.engine.cells import Cells
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.records.codecs.sgf import write_sgf
from hextui.records.record import Record
from hextui.runs.experiment import Experiment
from hextui.runs.reports import RunReport, effort
from hextui.runs.results import Document, Row, Table
from hextui.text import Names, counted
from hextui.train.finder import TABLE_BYTES, FinderSettings, FoundPuzzle, puzzles_in
from hextui.train.grades import difficulty_of
from hextui.train.puzzle import Puzzle, Theme, puzzle_record
from hextui.train.themes import theme_of

PUZZLES = "puzzles.sgf"
COLUMNS = (
    "game", "name", "ply", "size", "stones", "to_move", "wins", "lines", "shape", "theme", "level",
    "missed", "probability", "plausible", "nodes",
)  # fmt: skip


@dataclass(frozen=True)
class PuzzleTask:
    """A game to look for puzzles in: its number and name, the record, and for whom.

    ``player``: the colour whose moves become puzzles, None for both.
    """

    number: int
    name: str
    record: Record
    player: Color | None
    settings: FinderSettings

    @property
    def digest(self) -> str:
        """A digest of the game, and of whose moves become puzzles."""
        whose = "both" if self.player is None else str(self.player)
        key = record_key(self.record).hex()
        return f"{key} {whose}"


def experiment(tasks: Sequence[PuzzleTask], settings: FinderSettings) -> Experiment:
    """Return the run that makes puzzles of games."""
    digest = hashlib.sha256("\n".join(task.digest for task in tasks).encode()).hexdigest()
    return Experiment(
        study="puzzles",
        settings={"finder": asdict(settings), "games": len(tasks), "digest": digest},
        columns=COLUMNS,
        tasks={task.number: task for task in tasks},
        work=puzzles_of_game,
        report=report,
        cells={task.record.board.cells for task in tasks},
    )


def puzzles_of_game(task: PuzzleTask) -> list[Row]:
    """Return the rows of the puzzles in a game."""
    board = task.record.board
    rows: list[Row] = []
    for puzzle in puzzles_in(task.record, task.settings):
        position = puzzle.solution.position
        if task.player not in (None, position.to_move):
            continue
        difficulty = difficulty_of(position, puzzle.solution.wins, puzzle.likely)
        row = {
            "game": task.number,
            "name": task.name,
            "ply": puzzle.ply,
            "size": str(board),
            "stones": position.stones.hex(),
            "to_move": str(position.to_move),
            "wins": _names(board, puzzle.solution.wins),
            "lines": ", ".join(_names(board, line) for line in puzzle.lines),
            "shape": _shape(puzzle),
            "theme": str(theme_of(puzzle.solution)),
            "level": difficulty.level,
            "missed": int(puzzle.missed),
            **asdict(difficulty),
        }
        rows.append(tuple(row[column] for column in COLUMNS))
    return rows


def _names(board: Board, cells: Sequence[int] | Mapping[int, object]) -> str:
    return " ".join(map(board.name, cells))


def _shape(puzzle: FoundPuzzle) -> str:
    """Return what is the same for puzzles that ask for the same: the winner's cells and moves.

    Of the images in the four symmetries the first by order stands for all.
    """
    solution = puzzle.solution
    board, wins = solution.position.board, solution.wins
    carrier = {*solution.carrier.numbers, *wins}
    images = []
    for mirrored, turned in product((False, True), repeat=2):
        upright = board.transposed if mirrored else board
        color = solution.position.to_move.opponent if mirrored else solution.position.to_move
        carrier_image = sorted(board.image(cell, mirrored, turned) for cell in carrier)
        wins_image = sorted(board.image(cell, mirrored, turned) for cell in wins)
        images.append(f"{upright} {color} {carrier_image} {wins_image}")
    return min(images)


def report(table: Table, document: Document, names: Names) -> RunReport:
    """Return the report on a run, with the collection."""
    rows = table.records()
    by_shape: dict[str, Mapping[str, str]] = {}
    for row in rows:
        by_shape.setdefault(row["shape"], row)
    kept = sorted(by_shape.values(), key=lambda row: int(row["level"]))
    puzzles = [puzzle_of_row(row) for row in kept]
    games = document["settings"]["games"]
    made = RunReport(
        f"{counted(len(puzzles), 'puzzle')} from {games} games",
        {"games": games, "puzzles": len(puzzles), "duplicates": len(rows) - len(kept)},
    )
    made.text(f"{len(rows) - len(kept)} more were the same but for symmetry or distant stones.")
    for what in ("size", "level", "theme", "ply"):
        values = [row[what] for row in kept]
        if what == "ply":
            values = [_band(ply) for ply in values]
        counts = Counter(values)
        ordered = dict(sorted(counts.items()))
        made.document[what] = ordered
        made.table([what, "puzzles"], list(ordered.items()))
    made.text(effort(document))
    made.files[PUZZLES] = "".join(write_sgf(puzzle_record(puzzle, names)) for puzzle in puzzles)
    return made


def _band(ply: str) -> str:
    """Return the ten plies that a ply is one of.

    >>> _band("23")
    '20 to 29'
    """
    first = int(ply) // 10 * 10
    return f"{first:02} to {first + 9:02}"


def puzzle_of_row(row: Mapping[str, str]) -> Puzzle:
    """Return the puzzle of a row, which has COLUMNS."""
    board = Board.parse(row["size"])

    def cells(text: str) -> Cells:
        return Cells(board, tuple(map(board.cell, text.split())))

    position = Position(board, bytes.fromhex(row["stones"]), Color.parse(row["to_move"]))
    return Puzzle(
        position=position,
        wins=cells(row["wins"]).numbers,
        lines=tuple(map(cells, row["lines"].split(","))),
        theme=Theme(row["theme"]),
        level=int(row["level"]),
        name=f"{row['name']}, ply {row['ply']}",
    )


@dataclass(frozen=True)
class CheckedPuzzle:
    """What a proof of all moves says of a puzzle: the moves that win, and those not decided."""

    puzzle: Puzzle
    wins: tuple[int, ...]
    unknown: tuple[int, ...]

    @property
    def wrong(self) -> tuple[int, ...]:
        """The moves that the puzzle calls winning and that lose."""
        not_lost = {*self.wins, *self.unknown}
        return tuple(cell for cell in self.puzzle.wins if cell not in not_lost)

    @property
    def unlisted(self) -> tuple[int, ...]:
        """The winning moves that the puzzle does not list, if it lists any."""
        listed = self.puzzle.wins
        if not listed:
            return ()
        return tuple(cell for cell in self.wins if cell not in listed)

    @property
    def verdict(self) -> str:
        """``wrong``, ``ambiguous``, ``undecided`` or ``right``."""
        if self.wrong or not (self.wins or self.unknown):
            return "wrong"
        if self.unlisted:
            return "ambiguous"
        return "undecided" if self.unknown else "right"


def checked(puzzle: Puzzle, limit: Limit) -> CheckedPuzzle:
    """Prove every move of a puzzle with a new solver, within the limit."""
    board = puzzle.position.board
    with closing(Solver(board, SolverSettings(table_bytes=TABLE_BYTES))) as solver:
        *_, solution = solver.solve(puzzle.position, limit, all_moves=True)
    return CheckedPuzzle(puzzle, tuple(solution.wins), solution.unknown_moves.numbers)
