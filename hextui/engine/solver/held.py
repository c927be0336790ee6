"""What is found of a position in another orientation, carried back to the position itself."""

from collections.abc import Mapping
from dataclasses import replace

from hextui.engine.orientation import Orientation
from hextui.engine.position import Position
from hextui.engine.solver.proof import (
    And,
    Captured,
    Dead,
    Fill,
    Joined,
    Kill,
    Node,
    Or,
    Play,
    Proof,
    Replies,
    Reply,
    Step,
    Touch,
)
from hextui.engine.solver.search import SearchAnswer
from hextui.engine.solver.solution import MoveVerdict, Solution


def answer_back(answer: SearchAnswer, held: Orientation) -> SearchAnswer:
    """Return what is known of the position held so as that of the position itself."""
    if held.plain:
        return answer
    return replace(
        answer,
        winner=answer.winner and held.color_back(answer.winner),
        best=None if answer.best is None else held.cell_of[answer.best],
        carrier=held.cells_back(answer.carrier),
    )


def solution_back(solution: Solution, held: Orientation, position: Position) -> Solution:
    """Return a solution of the position held so as that of the position itself."""
    if held.plain:
        return replace(solution, position=position)
    return replace(
        solution,
        position=position,
        winner=solution.winner and held.color_back(solution.winner),
        winning_moves=_verdicts_back(solution.winning_moves, held),
        losing_moves=_verdicts_back(solution.losing_moves, held),
        unknown_moves=tuple(sorted(held.cells_back(solution.unknown_moves))),
        carrier=held.cells_back(solution.carrier),
        line=tuple(held.cell_of[cell] for cell in solution.line),
        must_play=held.cells_back(solution.must_play),
    )


def _verdicts_back(
    verdicts: Mapping[int, MoveVerdict], held: Orientation
) -> dict[int, MoveVerdict]:
    back = {
        held.cell_of[cell]: replace(verdict, carrier=held.cells_back(verdict.carrier))
        for cell, verdict in verdicts.items()
    }
    return dict(sorted(back.items()))


def proof_back(proof: Proof, held: Orientation) -> Proof:
    """Return a proof of the position held so as that of the position itself."""
    if held.plain:
        return proof
    return Proof(
        held.back(proof.position),
        held.color_back(proof.winner),
        tuple(_node_back(node, held) for node in proof.nodes),
    )


def _node_back(node: Node, held: Orientation) -> Node:
    cell_of = held.cell_of
    match node:
        case Joined():
            steps = tuple(_step_back(step, held) for step in node.steps)
            return Joined(node.full, held.cells_back(node.carrier), steps)
        case Play():
            return Play(cell_of[node.cell], node.then)
        case Replies():
            answers = tuple(
                Reply(held.cells_back(answer.to), answer.then)
                if isinstance(answer, Reply)
                else Kill(cell_of[answer.cell], cell_of[answer.by])
                for answer in node.answers
            )
            return Replies(held.cells_back(node.carrier), answers)
        case Fill():
            fills = tuple(
                Dead(cell_of[step.cell])
                if isinstance(step, Dead)
                else Captured(cell_of[step.first], cell_of[step.second])
                for step in node.steps
            )
            return Fill(fills, node.then)


def _step_back(step: Step, held: Orientation) -> Step:
    match step:
        case Touch():
            return Touch(int(held.node_of[step.first]), int(held.node_of[step.second]))
        case And() | Or():
            captured = tuple(
                (held.cell_of[one], held.cell_of[other]) for one, other in step.captured
            )
            return replace(step, captured=captured)
