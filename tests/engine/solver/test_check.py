"""The checker of proofs: what holds passes, what was altered fails."""

import copy
import json
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.inferior import inferior_cells
from hextui.engine.limit import TooCostlyError
from hextui.engine.position import Position
from hextui.engine.solver import proof_board
from hextui.engine.solver.check import ProofError, check
from hextui.engine.solver.mustplay import proof_of, solve
from hextui.engine.solver.proof import (
    And,
    Fill,
    Joined,
    Kill,
    Node,
    Or,
    Play,
    Proof,
    ProofBuilder,
    Replies,
    Reply,
    Touch,
)
from hextui.engine.solver.proof_board import ProofBoard, mask_of
from hextui.engine.solver.proof_json import ProofFormatError, from_document, from_text, to_document
from tests.engine.positions import setup
from tests.engine.solver.prover import Prover
from tests.oracles import claims
from tests.oracles.inferior import inferior_cells as in_order_found


def random_position(rng, board, empties):
    """A position with so many empty cells that nobody has won."""
    while True:
        taken = rng.sample(range(board.cells), board.cells - empties)
        stones = bytearray(board.cells)
        for cell in taken:
            stones[cell] = rng.choice((1, 2))
        position = Position(board, bytes(stones), rng.choice(list(Color)))
        if position.winner is None:
            return position


def winner_of(position):
    mover = position.to_move
    own = mask_of(c for c, stone in enumerate(position.stones) if stone == mover)
    wins = claims.holds(position.board, mover, own, mask_of(position.empties), True)
    return mover if wins else mover.opponent


def is_proved(proof):
    """Check a proof, and compare what it says with exhaustive play."""
    found = check(proof)
    position = proof.position
    own = mask_of(c for c, stone in enumerate(position.stones) if stone == proof.winner)
    first = position.to_move is proof.winner
    carrier = mask_of(found.carrier)
    assert claims.holds(position.board, proof.winner, own, carrier, first)
    assert from_text(json.dumps(to_document(proof))) == proof
    return found


@pytest.mark.parametrize("remember", [False, True])
def test_runs_of_the_readable_solver_are_proofs(remember):
    rng = random.Random(1)
    for _ in range(50):
        position = random_position(rng, Board(3, 3), rng.randint(1, 9))
        proof = proof_of(solve(position, remember=remember))
        assert proof.winner is winner_of(position)
        is_proved(proof)


def test_must_play_with_connections_proves_random_positions():
    rng = random.Random(2)
    for board in (Board(3, 3), Board(4, 4), Board(3, 4), Board(4, 3)):
        prover = Prover(board)
        for _ in range(80):
            position = random_position(rng, board, rng.randint(4, min(board.cells, 10)))
            proof = prover.prove(position)
            assert proof.winner is winner_of(position)
            is_proved(proof)


def test_a_finished_game():
    over = setup(Board(3, 3), "b1 b2 b3", "a1 a2")
    proof = proof_of(solve(over))
    assert check(proof).carrier == frozenset()


# Alterations


def altered(rng, document):
    """Alter one thing in a node of a proof: a cell, a carrier, a step, a reference."""
    document = copy.deepcopy(document)
    names = [
        f"{'abcdefgh'[column]}{row + 1}"
        for row in range(document["size"]["rows"])
        for column in range(document["size"]["columns"])
    ]
    node = rng.choice(document["nodes"])
    place = document["nodes"].index(node)
    if "connection" in node:
        _alter_leaf(rng, node["connection"], names)
    elif "move" in node and rng.random() < 0.7:
        node["move"] = rng.choice(names)
    elif "replies" in node and rng.random() < 0.7:
        reply = rng.choice(node["replies"])
        change = rng.choice(("drop", "carrier", "to", "then"))
        if change == "drop":
            node["replies"].remove(reply)
        elif change == "then":
            reply["then"] = rng.randrange(place)
        else:
            _alter_cells(rng, node["carrier"] if change == "carrier" else reply["to"], names)
    elif "then" in node:
        node["then"] = rng.randrange(place)
    return document


def _alter_leaf(rng, leaf, names):
    change = rng.choice(("carrier", "kind", "step", "drop"))
    if change == "carrier":
        _alter_cells(rng, leaf["carrier"], names)
    elif change == "kind":
        leaf["kind"] = {"full": "semi", "semi": "full"}[leaf["kind"]]
    elif leaf.get("steps"):
        place = rng.randrange(len(leaf["steps"]))
        step = leaf["steps"][place]
        if change == "drop":
            del leaf["steps"][place]
        elif isinstance(step, list):
            step[rng.randrange(2)] = rng.choice(names)
        else:
            premises = next(iter(step.values()))
            premises[rng.randrange(len(premises))] = rng.randrange(place)


def _alter_cells(rng, cells, names):
    if cells and rng.random() < 0.6:
        cells.remove(rng.choice(cells))
    if rng.random() < 0.6:
        cells.append(rng.choice(names))


def refused(document):
    try:
        check(from_document(document))
    except (ProofError, ProofFormatError):
        return True
    return False


def all_claims_hold(proof):
    """Play out what each node of a proof claims, as far as the root needs it."""
    board, winner = proof.position.board, proof.winner
    builder = ProofBuilder()
    places = [builder.add(node) for node in proof.nodes]
    own = mask_of(c for c, stone in enumerate(proof.position.stones) if stone == winner)
    waiting, seen = [(len(places) - 1, own)], set()
    while waiting:
        place, own = waiting.pop()
        if (place, own) in seen:
            continue
        seen.add((place, own))
        node = proof.nodes[place]
        match node:
            case Play():
                waiting.append((node.then, own | 1 << node.cell))
            case Replies():
                waiting += [(a.then, own) for a in node.answers if isinstance(a, Reply)]
        first = isinstance(node, Play) or (isinstance(node, Joined) and not node.full)
        carrier = mask_of(builder.carrier(places[place]))
        if carrier & own or not claims.holds(board, winner, own, carrier, first):
            return False
    return True


def test_an_altered_proof_is_refused_unless_it_still_holds():
    rng = random.Random(3)
    board = Board(4, 4)
    prover = Prover(board)
    tried = still = 0
    while tried < 1500:
        position = random_position(rng, board, rng.randint(6, 14))
        maker = rng.random() < 0.3 and len(position.empties) <= 9
        proof = proof_of(solve(position)) if maker else prover.prove(position)
        document = to_document(proof)
        for _ in range(15):
            wrong = altered(rng, document)
            if from_text(json.dumps(document)) == proof and wrong == document:
                continue
            tried += 1
            if not refused(wrong):
                still += 1
                assert all_claims_hold(from_document(wrong)), (document, wrong)
    assert still < tried / 8


# Single rules


def proof_with(position, *nodes, winner=Color.BLACK):
    return Proof(position, winner, nodes)


def complaint(proof):
    with pytest.raises(ProofError) as caught:
        check(proof)
    return str(caught.value)


BRIDGE = setup(Board(3, 3), "b1 b2", "a1 a2").with_to_move(Color.WHITE)  # a3 and b3 join the bottom


def test_a_pair_of_cells_joins_played_out_or_by_steps():
    carrier = frozenset({6, 7})
    steps = (
        Touch(1, 9),
        Touch(1, 6),
        Touch(6, 10),
        And(1, 2),
        Touch(1, 7),
        Touch(7, 10),
        And(4, 5),
        Or((3, 6)),
        And(0, 7),
    )
    for leaf in (Joined(True, carrier), Joined(True, carrier, steps)):
        assert check(proof_with(BRIDGE, leaf)).carrier == carrier
    assert "full" in complaint(proof_with(BRIDGE, Joined(False, carrier, steps)))
    assert "played out" in complaint(proof_with(BRIDGE, Joined(True, frozenset({6}))))
    for wrong in ({6}, {7}, {6, 7, 8}):
        assert "carrier" in complaint(proof_with(BRIDGE, Joined(True, frozenset(wrong), steps)))
    overlapping = (*steps[:3], And(1, 2), Or((3, 3)))
    assert "in common" in complaint(proof_with(BRIDGE, Joined(True, carrier, overlapping)))
    apart = (Touch(1, 8),)
    assert "do not touch" in complaint(proof_with(BRIDGE, Joined(True, carrier, apart)))
    assert "edges" in complaint(proof_with(BRIDGE, Joined(True, carrier, steps[:8])))


def test_semi_connections_are_not_joined_by_and():
    position = setup(Board(4, 4), "b2 b3")
    steps = (
        Touch(5, 1),
        Touch(1, 16),
        And(0, 1),
        Touch(5, 13),
        Touch(13, 17),
        And(3, 4),
        And(2, 5),
    )
    leaf = Joined(True, frozenset({1, 13}), steps)
    assert "full connections only" in complaint(proof_with(position, leaf))


def test_carriers_that_meet_are_not_joined_by_and():
    """Two bridges to a stone that share a cell."""
    board = Board(3, 3)
    position = setup(board, "b2")
    top = (Touch(4, 1), Touch(1, 9), And(0, 1), Touch(4, 2), Touch(2, 9), And(3, 4), Or((2, 5)))
    leaf = Joined(True, frozenset({1, 2}), (*top, And(6, 6)))
    assert "one common end" in complaint(proof_with(position, leaf))


def replies(carrier, *answers):
    return Replies(frozenset(carrier), answers)


def test_every_cell_of_the_carrier_needs_an_answer():
    to_top = Joined(True, frozenset())
    three, seven = frozenset({6}), frozenset({7})
    nodes = (to_top, Play(6, 0), Play(7, 0))
    whole = replies((6, 7), Reply(seven, 1), Reply(three, 2))
    assert check(proof_with(BRIDGE, *nodes, whole)).carrier == {6, 7}
    missing = replies((6, 7), Reply(seven, 1))
    assert "no answer to a3" in complaint(proof_with(BRIDGE, *nodes[:2], missing))
    wrong = replies((6, 7), Reply(three, 1), Reply(seven, 2))
    assert "needs that cell" in complaint(proof_with(BRIDGE, *nodes, wrong))
    twice = replies((6, 7), Reply(seven | three, 1), Reply(three, 2))
    assert "needs that cell" in complaint(proof_with(BRIDGE, *nodes, twice))
    outside = replies((7,), Reply(seven, 1))
    assert "not in the carrier" in complaint(proof_with(BRIDGE, *nodes[:2], outside))


def test_turns_stones_and_loose_ends():
    leaf = Joined(True, frozenset({6, 7}))
    mine = BRIDGE.with_to_move(Color.BLACK)
    assert check(proof_with(mine, leaf))
    assert check(proof_with(mine, leaf, Play(8, 0))).carrier == {6, 7, 8}
    assert "loser's turn" in complaint(proof_with(BRIDGE, leaf, Play(8, 0)))
    assert "twice" in complaint(proof_with(mine, leaf, Play(8, 0), Play(5, 1)))
    assert "nothing refers" in complaint(proof_with(mine, Joined(True, frozenset()), leaf))
    assert "stones are on" in complaint(proof_with(mine, leaf, Play(1, 0)))
    assert "stones are on" in complaint(proof_with(mine, leaf, Play(0, 0)))
    assert "stones are on" in complaint(proof_with(mine, leaf, Play(6, 0)))


def test_kills_alone_answer_nothing():
    position = setup(Board(2, 2)).with_to_move(Color.WHITE)
    each_other = replies((0, 1), Kill(0, 1), Kill(1, 0))
    assert "elsewhere" in complaint(proof_with(position, each_other))
    assert "dead" in complaint(proof_with(position, replies((0, 1, 2, 3), Kill(0, 3))))
    position = setup(Board(3, 3), "a1 b1", "a2 a3").with_to_move(Color.WHITE)
    for cell, by in ((4, 4), (4, 0), (0, 4)):
        wrong = complaint(proof_with(position, replies((4,), Kill(cell, by))))
        assert "two cells" in wrong


# Dead cells and fill-in


def test_dead_cells_never_matter_and_the_known_rules_are_covered():
    rng = random.Random(5)
    dead = 0
    for board in (Board(3, 3), Board(4, 4), Board(3, 5)):
        boards = {color: ProofBoard(board, color) for color in Color}
        for _ in range(120):
            position = random_position(rng, board, rng.randint(2, 9))
            own, empty = (
                mask_of(c for c, s in enumerate(position.stones) if s == stone)
                for stone in (Color.BLACK, 0)
            )
            known = inferior_cells(position)
            first = {
                c for c in known.dead.numbers if known.rules.numbers[c] in ("clique", "region")
            }
            for cell in position.empties:
                rest = empty & ~(1 << cell)
                found = boards[Color.BLACK].is_dead(cell, own, rest)
                other = mask_of(c for c, s in enumerate(position.stones) if s == Color.WHITE)
                assert found == boards[Color.WHITE].is_dead(cell, other, rest)
                if found:
                    dead += 1
                    assert not claims.matters(board, Color.BLACK, cell, own, rest)
                    first.discard(cell)
            if not known.captured[Color.BLACK] and not known.captured[Color.WHITE]:
                # dead cells that are dead only after others were filled
                assert all(position_with(position, {*known.dead.numbers} - {c}, c) for c in first)
    assert dead > 100


def position_with(position, dead, cell):
    """Whether a cell is dead once other dead cells are filled."""
    own = mask_of(c for c, s in enumerate(position.stones) if s == Color.BLACK) | mask_of(dead)
    empty = mask_of(set(position.empties) - dead - {cell})
    return ProofBoard(position.board, Color.BLACK).is_dead(cell, own, empty)


def fill_of(position, winner):
    """The fill-in of the winner, in the order in which it was found, and the filled position."""
    steps: list[tuple[int, ...]] = []
    filled = position
    while filled.winner is None:
        board = ProofBoard(position.board, winner)
        own = mask_of(c for c, s in enumerate(filled.stones) if s == winner)
        empty = mask_of(filled.empties)
        for cell in filled.empties:
            if board.is_dead(cell, own, empty & ~(1 << cell)):
                steps.append((cell,))
                filled = filled.with_stone(cell, winner)
                break
        else:
            # these come in the order found; a later pair may need an earlier one
            pairs = in_order_found(filled).captured[winner]
            if not pairs:
                break
            one, other = next(iter(pairs.numbers.items()))
            steps.append((one, other))
            filled = filled.with_stone(one, winner).with_stone(other, winner)
    return steps, filled


def test_proofs_with_filled_cells_hold():
    rng = random.Random(6)
    pairs = singles = 0
    for board in (Board(4, 4), Board(3, 4)):
        prover = Prover(board)
        for _ in range(60):
            position = random_position(rng, board, rng.randint(4, 10))
            winner = winner_of(position)
            steps, filled = fill_of(position, winner)
            if not steps:
                continue
            given = prover.prove(filled)
            assert given.winner is winner
            nodes = (*given.nodes, Fill(tuple(steps), len(given.nodes) - 1))
            proof = Proof(position, winner, nodes)
            is_proved(proof)
            pairs += sum(len(step) == 2 for step in steps)
            singles += sum(len(step) == 1 for step in steps)
            for cell in filled.empties:
                more = Fill((*steps, (cell,)), len(given.nodes) - 1)
                wrong = Proof(position, winner, (*given.nodes, more))
                if not refused(to_document(wrong)):
                    is_proved(wrong)
    assert pairs > 20
    assert singles > 20


def test_a_step_fills_one_cell_or_two():
    position = Position.parse("B..W / B.. . / B..W")
    for steps, holds in ((((1,), (2, 5)), True), (((1, 2, 5),), False), (((1,), ()), False)):
        proof = Proof(position, Color.BLACK, (Joined(True, frozenset()), Fill(steps, 0)))
        if holds:
            check(proof)
        else:
            with pytest.raises(ProofError, match="a step fills one cell, or two"):
                check(proof)


def test_vulnerable_cells_are_answered_by_their_killers():
    """Where every move of the loser that is not vulnerable is refuted, kills answer the rest."""
    rng = random.Random(7)
    board = Board(4, 4)
    prover = Prover(board)
    kills = 0
    while kills < 25:
        position = inferior_cells(random_position(rng, board, rng.randint(6, 11))).filled
        winner = position.to_move.opponent
        if position.winner is not None or winner_of(position) is not winner:
            continue
        nodes: list[Node] = []
        answers: list[Reply | Kill] = []
        carrier: frozenset[int] = frozenset()
        vulnerable = inferior_cells(position).vulnerable.numbers
        for cell in set(position.empties) - vulnerable.keys():
            sub = prover.prove(position.play(cell))
            nodes += [_shifted(node, len(nodes)) for node in sub.nodes]
            answers.append(Reply(frozenset({cell}), len(nodes) - 1))
            carrier |= check(sub).carrier
        carrier |= set(position.empties) - vulnerable.keys()
        while any(vulnerable[cell] not in carrier for cell in carrier & vulnerable.keys()):
            carrier |= {vulnerable[cell] for cell in carrier & vulnerable.keys()}
        dead = tuple(Kill(cell, vulnerable[cell]) for cell in carrier & vulnerable.keys())
        if answers and dead:
            node = Replies(carrier, (*answers, *dead))
            is_proved(Proof(position, winner, (*nodes, node)))
            kills += len(dead)


def _shifted(node, by):
    match node:
        case Play():
            return Play(node.cell, node.then + by)
        case Replies():
            return Replies(node.carrier, tuple(Reply(a.to, a.then + by) for a in node.answers))
    return node


def test_or_of_nothing_is_refused():
    leaf = Joined(True, frozenset(), (Touch(1, 9), Or(())))
    assert "same ends" in complaint(proof_with(BRIDGE, leaf))


def test_a_leaf_too_large_to_play_out_is_refused_in_time(monkeypatch):
    monkeypatch.setattr(proof_board, "MOST_WORK", 100_000)
    leaf = Joined(False, frozenset(range(361)))
    with pytest.raises(TooCostlyError, match="steps"):
        check(Proof(Position.empty(Board(19, 19)), Color.BLACK, (leaf,)))


def doubling(nodes: list[Node], cells: Iterator[int], times: int) -> None:
    """Each time doubles the sets of stones that the nodes are used with."""
    for _ in range(times):
        below = len(nodes) - 1
        one, other = next(cells), next(cells)
        nodes.append(Play(one, below))
        nodes.append(Play(other, below))
        answers = (Reply(frozenset({one}), below + 2), Reply(frozenset({other}), below + 1))
        nodes.append(Replies(frozenset({one, other}), answers))


def test_more_claims_than_can_be_checked_are_refused_in_time():
    nodes: list[Node] = [Joined(True, frozenset())]
    doubling(nodes, iter(range(100)), 40)
    with pytest.raises(TooCostlyError, match="claims"):
        check(Proof(Position.empty(Board(10, 10)), Color.BLACK, tuple(nodes)))


def test_more_work_for_all_claims_than_can_be_done_is_refused_in_time(monkeypatch):
    """A derivation of many steps is followed again for each of many claims."""
    monkeypatch.setattr(proof_board, "MOST_WORK", 1_000_000)
    column = bytes(cell % 19 == 0 for cell in range(361))
    steps = (*(Touch(361, 0), Touch(0, 362)) * 500, And(0, 1))
    nodes: list[Node] = [Joined(True, frozenset(), steps)]
    doubling(nodes, (cell for cell in range(361) if cell % 19), 10)
    proof = Proof(Position(Board(19, 19), column, Color.BLACK), Color.BLACK, tuple(nodes))
    assert check(replace(proof, nodes=proof.nodes[:4])).claims == 5
    with pytest.raises(TooCostlyError, match="too long"):
        check(proof)


def test_cells_that_no_stone_captures_are_refused():
    """Pairs apart, on stones, with an end or the key in them, or of one cell twice."""
    board = Board(4, 4)
    position = setup(board, "b2 b4", "a3")
    down = (Touch(5, 9), Touch(9, 13), And(0, 1))
    whole = Joined(False, frozenset({9}), down)
    assert "connect the edges" in complaint(proof_with(position, whole))
    for pair in ((9, 10), (0, 15), (5, 9), (9, 9)):
        wrong = (*down[:2], And(0, 1, (pair,)))
        said = complaint(proof_with(position, Joined(False, frozenset({9}), wrong)))
        assert "captured" in said
