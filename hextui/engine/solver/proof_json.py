"""The JSON form of proofs.

``{"format", "version", "size", "black": [cells], "white": [cells], "to_move", "winner", "nodes"}``.
A node is one of

- ``{"connection": {"kind": "full"|"semi", "carrier": [cells], "steps": [...]}}``; a step is
  ``[end, end]`` that touch, ``{"and": [step, step]}`` or ``{"or": [steps]}``; the two may have
  ``"captured": [[cell, cell]]``
- ``{"move": cell, "then": node}``
- ``{"carrier": [cells], "replies": [{"to": [cells], "then": node}, {"to": [cell], "kill": cell}]}``
- ``{"fill": [{"dead": cell}, {"captured": [cell, cell]}], "then": node}``

where nodes and steps are places in their lists, counted from 0; the last node is the root.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from hextui.engine.board import Board, Color, edges_of
from hextui.engine.position import Position
from hextui.engine.solver import proof as proofs
from hextui.engine.solver.proof import Proof

FORMAT = "hextui-proof"
VERSION = 1
_LONGEST = 200  # characters of a reason: it may quote what the document holds


class ProofFormatError(ValueError):
    """A document that is no proof; the message says in one line what is wrong and where."""


def to_document(proof: Proof) -> dict[str, Any]:
    """Return the proof as a JSON document."""
    position, board = proof.position, proof.position.board
    write = _NodeWriter(board, proof.winner)
    stones = {}
    for color in Color:
        own = (cell for cell, stone in enumerate(position.stones) if stone == color)
        stones[str(color)] = write.cells(own)
    return {
        "format": FORMAT,
        "version": VERSION,
        "size": {"rows": board.rows, "columns": board.columns},
        **stones,
        "to_move": str(position.to_move),
        "winner": str(proof.winner),
        "nodes": [write.node(node) for node in proof.nodes],
    }


@dataclass(frozen=True)
class _NodeWriter:
    board: Board
    winner: Color

    def cells(self, cells: Iterable[int]) -> list[str]:
        return [self.board.name(cell) for cell in sorted(cells)]

    def end(self, end: int) -> str:
        if end < self.board.cells:
            return self.board.name(end)
        return str(edges_of(self.winner)[end - self.board.cells])

    def step(self, step: proofs.Step) -> Any:
        match step:
            case proofs.Touch():
                return [self.end(step.first), self.end(step.second)]
            case proofs.And():
                return {"and": [step.first, step.second], **self.captured(step)}
            case proofs.Or():
                return {"or": list(step.steps), **self.captured(step)}

    def captured(self, step: proofs.And | proofs.Or) -> dict[str, Any]:
        if not step.captured:
            return {}
        pairs = []
        for pair in step.captured:
            pairs.append([self.board.name(cell) for cell in pair])
        return {"captured": pairs}

    def node(self, node: proofs.Node) -> dict[str, Any]:
        name = self.board.name
        match node:
            case proofs.Joined():
                kind = "full" if node.full else "semi"
                leaf: dict[str, Any] = {"kind": kind, "carrier": self.cells(node.carrier)}
                if node.steps:
                    leaf["steps"] = [self.step(step) for step in node.steps]
                return {"connection": leaf}
            case proofs.Play():
                return {"move": name(node.cell), "then": node.then}
            case proofs.Replies():
                replies = [self.answer(answer) for answer in node.answers]
                return {"carrier": self.cells(node.carrier), "replies": replies}
            case proofs.Fill():
                steps = [self.fill_step(step) for step in node.steps]
                return {"fill": steps, "then": node.then}

    def answer(self, answer: proofs.Reply | proofs.Kill) -> dict[str, Any]:
        if isinstance(answer, proofs.Reply):
            return {"to": self.cells(answer.to), "then": answer.then}
        return {"to": [self.board.name(answer.cell)], "kill": self.board.name(answer.by)}

    def fill_step(self, step: tuple[int, ...]) -> dict[str, Any]:
        names = [self.board.name(cell) for cell in step]
        return {"dead": names[0]} if len(names) == 1 else {"captured": names}


# Reading


def from_text(text: str) -> Proof:
    """Read a proof as `to_document` makes it. Raises ProofFormatError."""
    try:
        document = json.loads(text, parse_constant=_no_constant)
    except ValueError as error:
        raise ProofFormatError(f"not JSON: {error}") from None
    except RecursionError:
        raise ProofFormatError("not a proof: nested too deeply") from None
    return from_document(document)


def from_document(document: Any) -> Proof:
    """Read the JSON document of a proof. Raises ProofFormatError."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ProofFormatError(f"not a proof: no format {FORMAT!r}")
    version = document.get("version")
    if not isinstance(version, int) or version != VERSION:
        raise ProofFormatError(f"a proof of version {_short(repr(version), 40)}, not {VERSION}")
    try:
        position, winner = _position(document)
    except (KeyError, ValueError) as error:
        raise ProofFormatError(f"position: {_why(error)}") from None
    listed = document.get("nodes")
    if not isinstance(listed, list) or not listed:
        raise ProofFormatError("nodes: not a list with a node")
    nodes: list[proofs.Node] = []
    for place, value in enumerate(listed):
        try:
            nodes.append(_NodeReader(position.board, winner, place).node(value))
        except (KeyError, ValueError) as error:
            raise ProofFormatError(f"node {place}: {_why(error)}") from None
    return Proof(position, winner, tuple(nodes))


def _no_constant(word: str) -> NoReturn:
    raise ValueError(word)


def _why(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error.args[0]!r} is missing"
    return _short(" ".join(str(error).split()), _LONGEST)


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]}..."


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def _list(value: Any, length: int | None = None) -> list[Any]:
    if not isinstance(value, list) or length not in (None, len(value)):
        raise ValueError("not a list" + ("" if length is None else f" of {length}"))
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("not a text")
    return value


def _position(document: Mapping[str, Any]) -> tuple[Position, Color]:
    size = _object(document["size"])
    sides = size["rows"], size["columns"]
    if not all(isinstance(side, int) and not isinstance(side, bool) for side in sides):
        raise ValueError("size: not in whole numbers")
    board = Board(*sides)
    stones = bytearray(board.cells)
    for color in Color:
        for cell in (board.cell(_text(name)) for name in _list(document[str(color)])):
            if stones[cell]:
                raise ValueError(f"two stones on {board.name(cell)}")
            stones[cell] = color
    to_move, winner = (Color.parse(_text(document[key])) for key in ("to_move", "winner"))
    return Position(board, bytes(stones), to_move), winner


@dataclass(frozen=True)
class _NodeReader:
    """Reads the node at ``place``, which may refer to earlier ones only."""

    board: Board
    winner: Color
    place: int

    def node(self, value: Any) -> proofs.Node:
        node = _object(value)
        if "connection" in node:
            return self.leaf(_object(node["connection"]))
        if "move" in node:
            return proofs.Play(self.cell(node["move"]), self.earlier(node["then"]))
        if "replies" in node:
            answers = tuple(self.answer(_object(reply)) for reply in _list(node["replies"]))
            return proofs.Replies(self.cells(node["carrier"]), answers)
        if "fill" in node:
            steps = tuple(self.fill(_object(step)) for step in _list(node["fill"]))
            return proofs.Fill(steps, self.earlier(node["then"]))
        raise ValueError("none of connection, move, replies, fill")

    def earlier(self, place: Any) -> int:
        return _before(place, self.place)

    def cell(self, name: Any) -> int:
        return self.board.cell(_text(name))

    def cells(self, names: Any) -> frozenset[int]:
        return frozenset(self.cell(name) for name in _list(names))

    def answer(self, value: Mapping[str, Any]) -> proofs.Reply | proofs.Kill:
        if "kill" in value:
            (name,) = _list(value["to"], 1)
            return proofs.Kill(self.cell(name), self.cell(value["kill"]))
        return proofs.Reply(self.cells(value["to"]), self.earlier(value["then"]))

    def fill(self, value: Mapping[str, Any]) -> tuple[int, ...]:
        return (self.cell(value["dead"]),) if "dead" in value else self.pair(value["captured"])

    def leaf(self, value: Mapping[str, Any]) -> proofs.Joined:
        kind = value["kind"]
        if kind not in ("full", "semi"):
            raise ValueError(f"kind: {_short(repr(kind), 40)} is neither full nor semi")
        listed = _list(value["steps"]) if "steps" in value else ()
        steps = tuple(self.step(place, step) for place, step in enumerate(listed))
        return proofs.Joined(kind == "full", self.cells(value["carrier"]), steps)

    def step(self, place: int, value: Any) -> proofs.Step:
        if isinstance(value, list):
            first, second = _list(value, 2)
            return proofs.Touch(self.end(first), self.end(second))
        step = _object(value)
        captured = tuple(self.pair(pair) for pair in _list(step.get("captured", [])))
        if "and" in step:
            first_premise, second_premise = _list(step["and"], 2)
            return proofs.And(
                _before(first_premise, place), _before(second_premise, place), captured
            )
        return proofs.Or(tuple(_before(premise, place) for premise in _list(step["or"])), captured)

    def pair(self, value: Any) -> tuple[int, int]:
        first, second = _list(value, 2)
        return self.cell(first), self.cell(second)

    def end(self, name: Any) -> int:
        for place, edge in enumerate(edges_of(self.winner)):
            if name == str(edge):
                return self.board.cells + place
        return self.cell(name)


def _before(place: Any, limit: int) -> int:
    if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < limit:
        shown = _short(repr(place), 40)
        raise ValueError(f"{shown} is not the place of something before it")
    return place
