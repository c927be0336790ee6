"""What the analysis of a position proves, taken over into the store of verdicts."""

from hextui.engine.evaluator_names import is_search
from hextui.engine.verdicts import Verdict, VerdictKind, Verdicts
from hextui.engines.snapshot import Snapshot


def keep_proofs(snapshot: Snapshot, verdicts: Verdicts) -> None:
    """Keep who wins and by which moves, as far as a snapshot says so.

    Connections prove it: one that joins the edges already wins whatever is played, and a move
    outside the must-play region leaves the opponent the connection that it does not meet. And so
    does the solver, whose time is kept with its first word, and our tree search, which proves as
    the solver does. What an attached engine has proved of
    moves is kept as its word.
    """
    position, mover = snapshot.position, snapshot.position.to_move
    if (verdict := snapshot.verdict) is not None:
        verdicts.prove(position, verdict)
        joined = verdict.kind is VerdictKind.CONNECTION and verdict.key is None
        if joined and verdict.winner is mover:
            verdicts.prove_moves(position, dict.fromkeys(position.empties, verdict))
    if snapshot.must_play is not None and position.winner is None:
        unmet = Verdict(VerdictKind.CONNECTION, mover.opponent)
        outside = (cell for cell in position.empties if cell not in snapshot.must_play)
        verdicts.prove_moves(position, dict.fromkeys(outside, unmet))
    for examined in snapshot.examined.values():
        proved = {move.cell: move.proved for move in examined.moves if move.proved is not None}
        winners = {cell: mover if wins else mover.opponent for cell, wins in proved.items()}
        by = examined.engine
        ours = is_search(by)
        claims = {
            c: Verdict(VerdictKind.SOLVER, winner)
            if ours
            else Verdict(VerdictKind.ENGINE, winner, by=by)
            for c, winner in winners.items()
        }
        verdicts.prove_moves(position, claims)
    solution = snapshot.solution
    if solution is None or solution.winner is None:
        return
    seconds = solution.seconds if verdicts.of(position) is None else None
    verdicts.prove(position, Verdict(VerdictKind.SOLVER, solution.winner, seconds=seconds))
    won = Verdict(VerdictKind.SOLVER, mover)
    lost = Verdict(VerdictKind.SOLVER, mover.opponent)
    moves = dict.fromkeys(solution.winning_moves, won) | dict.fromkeys(solution.losing_moves, lost)
    verdicts.prove_moves(position, moves)
