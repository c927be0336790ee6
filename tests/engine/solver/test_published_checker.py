"""The published checker needs nothing of this program, accepts proofs and no altered ones."""

import ast
import copy
import json
import random
import subprocess
import sys
from pathlib import Path

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.mustplay import proof_of, solve
from hextui.engine.solver.proof import Fill, Joined, Play, Proof, Replies, Reply
from hextui.engine.solver.proof_board import mask_of
from hextui.engine.solver.proof_export import Exporter
from hextui.engine.solver.proof_json import from_document, to_document
from tests.engine.solver.prover import Prover
from tests.engine.solver.test_check import altered, random_position, refused
from tests.oracles import check_proof, claims

FILE = Path(check_proof.__file__)
SMALL = SolverSettings(table_bytes=1 << 24)
OTHER = {"black": "white", "white": "black"}


def accepted(document: dict) -> bool:
    """Return whether the published checker accepts the document of a proof."""
    try:
        check_proof.check(document)
    except ValueError:
        return False
    return True


def altered_elsewhere(rng: random.Random, document: dict) -> dict:
    """Alter what is not a node: a player, a stone, the size; or a cell that is filled or killed."""
    document = copy.deepcopy(document)
    names = [f"{letter}{row}" for letter in "abcd" for row in "1234"]
    cells = list(_single_cells(document))
    match rng.choice(("winner", "to_move", "move", "add", "remove", "size", "cell", "cell")):
        case "winner":
            document["winner"] = OTHER[document["winner"]]
        case "to_move":
            document["to_move"] = OTHER[document["to_move"]]
        case "move" if stones := document[document["winner"]]:
            stones[rng.randrange(len(stones))] = rng.choice(names)
        case "add":
            document[OTHER[document["winner"]]].append(rng.choice(names))
        case "remove" if stones := document[document["winner"]]:
            stones.pop(rng.randrange(len(stones)))
        case "size":
            document["size"]["rows"] += rng.choice((-1, 1))
        case "cell" if cells:
            holder, key = rng.choice(cells)
            holder[key] = rng.choice(names)
    return document


def _single_cells(document: dict):
    """Yield where cells stand that are filled, captured or kill another."""
    for node in document["nodes"]:
        for step in node.get("fill", []):
            if "dead" in step:
                yield step, "dead"
            for place in range(len(step.get("captured", []))):
                yield step["captured"], place
        for reply in node.get("replies", []):
            if "kill" in reply:
                yield reply, "kill"
        steps = node.get("connection", {}).get("steps", [])
        for step in (step for step in steps if isinstance(step, dict)):
            yield from ((pair, place) for pair in step.get("captured", []) for place in (0, 1))


def all_claims_hold(proof: Proof) -> bool:
    """Play out what each node of a proof claims, as far as the root needs it."""
    board, winner, nodes = proof.position.board, proof.winner, proof.nodes
    carriers, turns = [], []
    for node in nodes:
        match node:
            case Joined():
                carrier, turn = node.carrier, not node.full
            case Replies():
                carrier, turn = node.carrier, False
            case Play():
                carrier, turn = carriers[node.then] | {node.cell}, True
            case Fill():
                carrier, turn = carriers[node.then] | node.captured, turns[node.then]
        carriers.append(carrier)
        turns.append(turn)
    own = frozenset(cell for cell, stone in enumerate(proof.position.stones) if stone == winner)
    waiting, seen = [(len(nodes) - 1, own)], set()
    while waiting:
        place, own = claim = waiting.pop()
        if claim in seen:
            continue
        seen.add(claim)
        match node := nodes[place]:
            case Play():
                waiting.append((node.then, own | {node.cell}))
            case Fill():
                waiting.append((node.then, own.union(*node.steps)))
            case Replies():
                waiting += [(a.then, own) for a in node.answers if isinstance(a, Reply)]
        carrier = carriers[place]
        if carrier & own:
            return False
        if not claims.holds(board, winner, mask_of(own), mask_of(carrier), turns[place]):
            return False
    return True


def some_proof(rng: random.Random, board: Board, prover: Prover, exporter: Exporter) -> dict:
    """Return the proof of a random position, by one of three makers."""
    position = random_position(rng, board, rng.randint(6, 14))
    maker = rng.random()
    if maker < 0.2 and len(position.empties) <= 9:
        return to_document(proof_of(solve(position)))
    made = prover.prove(position) if maker < 0.5 else exporter.prove(position)
    return to_document(made)


def test_proofs_hold_and_altered_ones_are_rejected_unless_all_their_claims_are_true() -> None:
    rng = random.Random(11)
    board = Board(4, 4)
    prover, exporter = Prover(board), Exporter(Solver(board, SMALL))
    tried = still = 0
    while tried < 1200:
        document = some_proof(rng, board, prover, exporter)
        assert accepted(document)
        for _ in range(20):
            alter = altered if rng.random() < 0.6 else altered_elsewhere
            wrong = alter(rng, document)
            if wrong == document:
                continue
            tried += 1
            if accepted(wrong):
                still += 1
                assert not refused(wrong), (document, wrong)
                assert all_claims_hold(from_document(wrong)), (document, wrong)
    assert still < tried / 8


def test_openings_with_captured_pairs_and_kills_hold() -> None:
    board = Board(6, 6)
    exporter = Exporter(Solver(board, SMALL))
    for name in ("f1", "a2"):
        document = to_document(exporter.prove(Position.empty(board).play(board.cell(name))))
        assert accepted(document)
        for node in document["nodes"]:
            for place in range(len(node.get("replies", []))):
                answer = node["replies"].pop(place)
                assert not accepted(document), "an answer is missing"
                node["replies"].insert(place, answer)


def test_what_is_no_proof_is_rejected_in_a_line(tmp_path: Path) -> None:
    proof = to_document(proof_of(solve(Position.parse("B.. / .W. / ..."))))
    texts = ["", "[]", "{}", "nonsense", json.dumps(proof | {"nodes": []}), "[" * 100_000]
    keys = proof.keys() - {OTHER[proof["winner"]]}  # without the loser's stones it still holds
    texts += [json.dumps(proof | {key: value}) for key in keys for value in (None, 7, [], {})]
    for number, text in enumerate(texts):
        file = tmp_path / f"{number}.json"
        file.write_text(text)
        said = check_proof.verdict(str(file))
        assert said.startswith("does not hold: "), text[:100]
        assert "\n" not in said
    assert check_proof.verdict(str(tmp_path / "missing")).startswith("does not hold: ")


def test_the_published_checker_stands_alone_and_is_short(tmp_path: Path) -> None:
    source = FILE.read_text()
    imported = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import)]
    others = [
        node.module for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)
    ]
    names = {alias.name for node in imported for alias in node.names} | set(others)
    assert names <= sys.stdlib_module_names
    assert len([line for line in source.splitlines() if line.strip()]) <= 200
    proof = tmp_path / "proof.json"
    proof.write_text(json.dumps(to_document(proof_of(solve(Position.parse("B.. / .W. / ..."))))))
    for command, code in (([proof], 0), ([proof, FILE], 1), ([], 1)):
        done = subprocess.run(
            [sys.executable, "-I", FILE, *command], capture_output=True, text=True
        )
        assert done.returncode == code
        assert done.stdout.count(": holds: ") == (proof in command)
