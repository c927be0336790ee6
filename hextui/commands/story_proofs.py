"""Winning lines and proof files for the story of a game: its positions are solved again."""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from hextui.analysis.game_positions import GamePosition
from hextui.analysis.game_story import ProvedPly, StoryFact
from hextui.analysis.mistakes import Blunder
from hextui.commands.documents import compile_first
from hextui.commands.output import ProgressLine
from hextui.commands.solve import make_solver, solver_settings
from hextui.engine.board import Board
from hextui.engine.limit import Limit, StoppedError
from hextui.engine.position import Position
from hextui.engine.solver.proof import Play, Proof
from hextui.engine.solver.proof_json import to_document
from hextui.engine.widths import Kernels
from hextui.records.record_text import RecordError
from hextui.records.saving import save_file
from hextui.text import Names

if TYPE_CHECKING:
    from hextui.engine.solver.solution import Solution

EACH = Limit(seconds=10.0)
"""The limit of each line and each proof."""


class StoryProver:
    """Solves positions of one board again, each within a limit; close it after use.

    ``threads``: of the solver, by default one for each core.
    """

    def __init__(self, board: Board, limit: Limit = EACH, threads: int | None = None) -> None:
        from hextui.engine.solver.proof_export import Exporter

        compile_first(board, Kernels.CONNECTIONS, Kernels.SOLVER)
        self._solver = make_solver(board, solver_settings(board, threads, None))
        self._exporter = Exporter(self._solver, stop=self._is_late)
        self._limit = limit
        self._end = inf

    def close(self) -> None:
        """End the solver's threads."""
        self._solver.close()

    def winning_line(self, point: Blunder) -> tuple[int, ...]:
        """Return a winning move of a turning point, if one is known, and the line after it.

        Without the line if that is not found in time.
        """
        position = point.before.position
        winning_move = point.wins[:1]
        if winning_move:
            position = position.play(winning_move[0])
        solution = self._solved(position)
        if solution.winner is not point.color:
            return winning_move
        return (*winning_move, *solution.line.numbers)

    def proof(self, position: Position, claim: ProvedPly) -> Proof | None:
        """Return the proof of a claim about a position; None if it is not found in time."""
        after = position if claim.move is None else position.play(claim.move)
        if self._solved(after).winner is not claim.winner:
            return None
        try:
            proof = self._exporter.prove(after)
        except StoppedError:
            return None
        if claim.move is None:
            return proof
        root = Play(claim.move, len(proof.nodes) - 1)
        return Proof(position.without_swap, claim.winner, (*proof.nodes, root))

    def _solved(self, position: Position) -> "Solution":
        """Solve a position; its time limit holds for what is proved of it afterwards, too."""
        if self._limit.seconds is not None:
            self._end = time.monotonic() + self._limit.seconds
        *_, solution = self._solver.solve(position, self._limit)
        return solution

    def _is_late(self) -> bool:
        return time.monotonic() >= self._end


def winning_lines(points: Sequence[Blunder], prover: StoryProver) -> dict[int, tuple[int, ...]]:
    """Return the lines that would have won, by the ply before each turning point."""
    lines = {}
    with ProgressLine() as progress:
        for number, point in enumerate(points, start=1):
            progress.show(f"winning lines: {number} of {len(points)}")
            lines[point.before.ply] = prover.winning_line(point)
    return lines


def write_proofs(
    facts: Iterable[StoryFact],
    positions: Sequence[GamePosition],
    prover: StoryProver,
    folder: Path,
    names: Names,
) -> dict[int, Path | None]:
    """Write a proof for each ply that facts rest on; return the files by ply.

    None stands for a proof that is not found in time. Makes the folder if it is missing; raises
    RecordError if it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"the folder for proofs cannot be made: {error.strerror or error}"
        raise RecordError(what, source=str(folder)) from None
    position_at = {game_position.ply: game_position.position for game_position in positions}
    claims = _claims(facts)
    files: dict[int, Path | None] = {}
    with ProgressLine() as progress:
        for number, (ply, claim) in enumerate(claims.items(), start=1):
            progress.show(f"proofs: {number} of {len(claims)}")
            proof = prover.proof(position_at[ply], claim)
            files[ply] = None
            if proof is not None:
                player = names.player(claim.winner).lower()
                file = folder / f"proof-ply-{ply}-{player}-wins.json"
                text = json.dumps(to_document(proof), separators=(",", ":"))
                save_file(file, f"{text}\n")
                files[ply] = file
    return files


def _claims(facts: Iterable[StoryFact]) -> Mapping[int, ProvedPly]:
    """Return one claim for each ply, one with a winning move if there is any; the last ply first.

    The solver's table then holds what follows an earlier ply.
    """
    claims: dict[int, ProvedPly] = {}
    for claim in (claim for fact in facts for claim in fact.plies):
        claim_before = claims.get(claim.ply)
        if claim_before is None or claim_before.move is None:
            claims[claim.ply] = claim
    return dict(sorted(claims.items(), reverse=True))
