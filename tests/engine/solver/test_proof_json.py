"""Documents of proofs: whatever stands anywhere in one is read, or refused with one line."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engine.solver.check import ProofError, check
from hextui.engine.solver.mustplay import proof_of, solve
from hextui.engine.solver.proof_json import ProofFormatError, from_document, from_text, to_document

HAND_MADE = [
    {
        "connection": {
            "kind": "full",
            "carrier": ["a1", "b1"],
            "steps": [["top", "a1"], {"and": [0, 0]}, {"or": [0]}],
        }
    },
    {"move": "a1", "then": 0},
    {"carrier": ["a1", "b1"], "replies": [{"to": ["a1"], "then": 0}, {"to": ["a1"], "kill": "b1"}]},
    {"fill": [{"dead": "a1"}, {"captured": ["a1", "b1"]}], "then": 0},
]  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1.5, 10**30, float("inf"), float("nan"), "", "z99", "\0", "\ud800", [], [[]],
    {}, {"": 0}, [None], "x" * 3000, [1, 2, 3], "top",
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def altered(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    changed = copy.deepcopy(document)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return changed


def documents() -> Iterator[Any]:
    position = Position.empty(Board(2, 2))
    made = to_document(proof_of(solve(position)))
    for document in (made, {**made, "nodes": HAND_MADE}):
        for path in places(document):
            for value in VALUES:
                yield altered(document, path, value)
            for key in {path[-1:]} - {()}:
                inner = altered(document, path, None)
                place = inner
                for step in path[:-1]:
                    place = place[step]
                del place[key[0]]
                yield inner


def test_any_value_at_any_place_is_read_or_refused_in_one_line() -> None:
    said = []
    for document in documents():
        try:
            check(from_document(document))
        except (ProofFormatError, ProofError) as error:
            said.append(str(error))
    assert len(said) > 1500
    assert all(0 < len(line) < 400 and "\n" not in line for line in said)


@pytest.mark.parametrize("word", ["Infinity", "-Infinity", "NaN"])
def test_numbers_that_json_lacks_are_refused(word: str) -> None:
    with pytest.raises(ProofFormatError, match=f"not JSON: {word}"):
        from_text(f'{{"format": "hextui-proof", "version": {word}}}')


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "9" * 5000, '"\\ud800"'])
def test_texts_that_are_no_proofs(text: str) -> None:
    with pytest.raises(ProofFormatError):
        from_text(text)


def test_a_size_is_written_in_numbers() -> None:
    document = to_document(proof_of(solve(Position.empty(Board(2, 2)))))
    for rows in ("2", 2.0, True):
        document["size"]["rows"] = rows
        with pytest.raises(ProofFormatError, match="size"):
            from_text(json.dumps(document))


def test_documents_that_are_no_proofs_are_refused_in_one_line():
    good = to_document(proof_of(solve(Position.empty(Board(2, 2)))))
    assert from_document(good)

    def with_node(node):
        return {**good, "nodes": [node]}

    for wrong, says in (
        ([], "no proof|not a proof"),
        ({**good, "format": "x"}, "format"),
        ({**good, "version": 2}, "version"),
        ({**good, "size": {"rows": 30, "columns": 2}}, "position"),
        ({**good, "black": ["a1"], "white": ["a1"]}, "two stones"),
        ({**good, "to_move": "green"}, "green"),
        ({**good, "nodes": []}, "nodes"),
        (with_node(3), "node 0: not an object"),
        (with_node({"move": "z9", "then": 0}), "node 0: no cell"),
        (with_node({"move": "a1", "then": 0}), "node 0: 0 is not the place"),
        (with_node({"move": "a1"}), "node 0: 'then' is missing"),
        (with_node({"connection": {"kind": "both", "carrier": []}}), "both"),
        (with_node({"connection": {"kind": "full", "carrier": [], "steps": [{"or": [0]}]}}), "0"),
        (with_node({"carrier": 3, "replies": []}), "node 0"),
        (with_node({"carrier": ["a1"], "replies": [{"to": [], "kill": "a1"}]}), "node 0"),
    ):
        with pytest.raises(ProofFormatError, match=says) as caught:
            from_document(wrong)
        assert "\n" not in str(caught.value)
    with pytest.raises(ProofFormatError, match="JSON"):
        from_text("{")
