"""The run of the readable solver as a proof that can be checked."""

from hextui.engine.solver.mustplay import MustPlayRun, MustPlaySolution
from hextui.engine.solver.proof import Joined, Play, Proof, ProofBuilder, Replies, Reply


def proof_of(solution: MustPlaySolution) -> Proof:
    """Return the proof that a solution's run amounts to: its winsets are the carriers."""
    builder = ProofBuilder()
    root = _node(solution.run, builder, {})
    return builder.proof(solution.position, solution.winner, root)


def _node(run: MustPlayRun | None, builder: ProofBuilder, known: dict[int, int]) -> int:
    """Return the node of a run; None is a chain that joins the winner's edges."""
    if run is None:
        return builder.add(Joined(True, frozenset()))
    if id(run) not in known:
        known[id(run)] = builder.add(_won(run, builder, known) or _lost(run, builder, known))
    return known[id(run)]


def _won(run: MustPlayRun, builder: ProofBuilder, known: dict[int, int]) -> Play | None:
    if run.move is None:
        return None
    return Play(run.move, _node(run.tries[-1].after, builder, known))


def _lost(run: MustPlayRun, builder: ProofBuilder, known: dict[int, int]) -> Replies:
    """A winset answers its move and every cell of the region that it can do without."""
    answers = []
    for one in run.tries:
        to = (one.region - one.winset) & run.winset
        if to:
            answers.append(Reply(to, _node(one.after, builder, known)))
    return Replies(run.winset, tuple(answers))
