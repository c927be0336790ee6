"""Print GAME and HERE at every ply of games that `solve` proves, and check each of their clauses.

    python -m tests.benchmarks.game_sentences human_11x11.jsonl [--games 40] [--seconds 1]
    python -m tests.benchmarks.game_sentences human_11x11.jsonl --first 20 --games 10 --seconds 5

Games are solved from the end back, with one table a game. GAME is read after each proof, as during
a review, and once more at the end, as after one; HERE is read then, and after its own proof. Each
wording is checked against every ply by readers of their own (tests/oracles/sentences.py): 0
contradictions are right. ``--misses``: how many plies in a row may stay open until earlier ones
are left out, by default all.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hextui.analysis.analyst import Analyst
from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.analysis.mistakes import without_swaps
from hextui.engine.board import Board, Color
from hextui.engine.limit import Limit
from hextui.engine.position import Move
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.solution import Solution
from hextui.engine.verdicts import Verdict, VerdictKind
from hextui.records.record import Record
from hextui.ui.app.situation import game_situation_of, situation_of
from hextui.ui.drawing.overlays import DisplayOptions
from hextui.ui.drawing.palette import DARK
from hextui.ui.live.game_review import LineReview
from hextui.ui.panels.panel import PanelInput
from hextui.ui.record.session import Session
from hextui.words.verdicts import Wording, game_ways, here_ways
from tests.benchmarks.solve import data_folder
from tests.oracles.sentences import ContradictionError, GameReader, HereReader, check_all, text_of

TABLE_BYTES = 1 << 27
BUDGET = 10.0


@dataclass
class Counts:
    """What was read."""

    games: int = 0
    plies: int = 0
    proved: int = 0
    sentences: int = 0
    contradictions: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        plies = f"{self.plies} plies, {self.proved} proved"
        wrong = f"{len(self.contradictions)} contradictions"
        return f"{self.games} games, {plies}, {self.sentences} sentences, {wrong}"


def games_of(path: Path, first: int, count: int) -> Iterator[tuple[str, Record]]:
    """Yield the number and the record of games of a file."""
    for line in path.read_text().splitlines()[first : first + count]:
        row = json.loads(line)
        board = Board.parse(str(row["size"]))
        moves = [Move.parse(word, board) for word in row["moves"].split()]
        yield str(row["id"]), Record.of_moves(board, moves)


class ReadGame:
    """A game as the screen knows it, from the verdicts that it is given."""

    def __init__(self, name: str, record: Record, counts: Counts) -> None:
        self.name, self.counts = name, counts
        self.session = Session(record)
        self.line = game_positions(record, record.main_line())
        self.estimates = Estimates()
        self.solutions: dict[int, Solution] = {}
        self._live = Analyst(lambda _: None)

    def keep(self, ply: int, solution: Solution) -> None:
        """Keep what the solver has found at a ply, as a review does."""
        position, verdict = self.line[ply].position, None
        if solution.winner is not None:
            verdict = Verdict(VerdictKind.SOLVER, solution.winner)
        self.estimates.keep_verdict(position, verdict, solution.seconds)
        won = dict.fromkeys(solution.wins, True)
        self.estimates.keep_proved(position, won | dict.fromkeys(solution.losses, False))
        if solution.winner is not None:
            self.solutions[ply] = solution

    def finish(self) -> None:
        """Mark the review as finished."""
        for here in self.line:
            self.estimates.keep_verdict(here.position, None, BUDGET)
        self.estimates.keep_spent(self.line, BUDGET)

    def read_game(self) -> str:
        """Check all wordings of GAME; return the fullest."""
        ways = game_ways(game_situation_of(self._known(self.line[-1])))
        self._check(GameReader(self.line, self._proved_after_swaps), ways)
        return text_of(ways[0])

    def read_here(self, ply: int) -> str:
        """Check all wordings of HERE at a ply; return the fullest."""
        here = self.line[ply]
        ways = here_ways(situation_of(self._known(here), self._live))
        reader = self.here_reader(ply)
        self._agree(reader)
        self._check(reader, ways)
        return text_of(ways[0])

    def here_reader(self, ply: int) -> HereReader:
        """Return a reader that knows who wins at each ply, and by which moves at this one."""
        known = self.estimates.verdicts.moves(self.line[ply].position)
        wins, losses = frozenset(known.wins), frozenset(known.losses)
        return HereReader(self.line, self._proved, ply, wins, losses)

    @property
    def _proved(self) -> list[Color | None]:
        """Who is proved to win at each ply: by the solver, or else by a conclusion."""
        found: list[Color | None] = []
        for here in self.line:
            known = self.solutions.get(here.ply) or self.estimates.verdict(here.position)
            found.append(None if known is None else known.winner)
        return found

    @property
    def _proved_after_swaps(self) -> list[Color | None]:
        """The same without plies before a first stone that can be swapped, and before swaps."""
        *_, last = without_swaps(self.line)
        begin = last[0].ply
        return [None if ply < begin else winner for ply, winner in enumerate(self._proved)]

    def _known(self, here: GamePosition) -> PanelInput:
        self.session.node = here.node
        found = self.estimates
        review = LineReview(self.line, (), found, budget=BUDGET, line=self.line)
        return PanelInput(self.session, None, DisplayOptions(), DARK, found.verdicts, review)

    def _agree(self, reader: HereReader) -> None:
        """Count where the verdicts shown differ from the solver's own."""
        ply, solution = reader.ply, self.solutions.get(reader.ply)
        if solution is None:
            return
        verdict = self.estimates.verdict(self.line[ply].position)
        same = verdict is not None and verdict.winner is solution.winner
        wrong = reader.wins & {*solution.losses} or reader.losses & {*solution.wins}
        if wrong or not same:
            self._report(f"ply {ply}: the verdict shown differs from the solver's")

    def _check(self, reader: GameReader | HereReader, ways: Sequence[Wording]) -> None:
        try:
            self.counts.sentences += check_all(reader, ways)
        except ContradictionError as error:
            self._report(str(error))

    def _report(self, what: str) -> None:
        self.counts.contradictions.append(what)
        print(f"{self.name}: CONTRADICTION: {what}", flush=True)


def read(game: ReadGame, limit: Limit, misses: int | None) -> None:
    """Solve a game from its end back, and read what is said after each proof."""
    board, counts = game.session.board, game.counts
    solver = Solver(board, SolverSettings(table_bytes=TABLE_BYTES))
    open_plies = 0
    for here in reversed(game.line):
        *_, solution = solver.solve(here.position, limit, all_moves=True)
        game.keep(here.ply, solution)
        counts.plies += 1
        if solution.winner is None:
            open_plies += 1
            if open_plies == misses:
                break
            continue
        open_plies = 0
        counts.proved += 1
        print(f"{game.name} ply {here.ply}: {game.read_here(here.ply)}")
        print(f"{game.name} so far: {game.read_game()}", flush=True)
    solver.close()
    game.finish()
    for ply in range(len(game.line)):
        game.read_here(ply)
    print(f"{game.name} GAME: {game.read_game()}", flush=True)
    counts.games += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", help="games in JSON lines, in HEXTUI_TEST_DATA")
    parser.add_argument("--first", type=int, default=0, help="leave out so many games")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--misses", type=int)
    options = parser.parse_args()
    counts = Counts()
    for name, record in games_of(data_folder() / options.file, options.first, options.games):
        read(ReadGame(name, record, counts), Limit(seconds=options.seconds), options.misses)
        print(counts, flush=True)


if __name__ == "__main__":
    main()
