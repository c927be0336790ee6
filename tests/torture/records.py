"""Altered records of every format that is read: what can be read can be written and read again.

    python -m tests.torture.records --seeds FIRST:LAST [--processes N]

A seed makes a record, writes it in a format, alters the text a few times, and has it read. What may
happen: records, or errors of one clean line. Each record is then written, in SGF and in one other
format, and read again: SGF must give the same record, the other formats what they say they hold.
"""

import argparse
import json
import random
import resource
import sys
import time
import tracemalloc
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from xml.etree import ElementTree

from hextui.engine.board import Board, Color
from hextui.engine.position import IllegalMoveError, Move, MoveKind
from hextui.records.diagrams import hexwiki_diagram, svg_diagram
from hextui.records.errors import RecordError
from hextui.records.formats import (
    BrokenGame,
    Format,
    losses,
    read_collection,
    read_record,
    write_record,
)
from hextui.records.reading_back import written
from hextui.records.record import Record
from hextui.records.text import escape
from hextui.records.tree import NO_SETUP, Node, Setup, Turn
from tests.torture.seeds import seeds

CHANGES = 8  # altered texts of each record
LONGEST_LINE = 450  # characters of an error
MEASURED = 500  # one in so many has its memory measured, and its pictures drawn
SPARE_BYTES, BYTES_A_BYTE = 4 << 20, 4000  # of memory: pieces of files, and small nodes
CHUNK = 1000  # seeds of one task of a process

OTHERS = (Format.HEXWORLD, Format.HEXATA, Format.PLAIN, Format.JSON)
TEXTS = (
    "", "x", "a]b", "a\\", "a:b", "(;GM[11])", "\n(;SZ[5]B[a1])", "[[", "é", "林", "\u202e", "\x1b[31m",
    "\x9b", "\ufeff", "\ufffd", "\0", "\r", "\r\n", "\t", "\\\n", " a ", "B+R", "Void", "#5,a1", "{", "1.",
)  # fmt: skip
NAMES = (
    "C", "N", "TR", "LB", "PB", "PW", "RE", "GN", "EV", "IP", "HEXWORLD", "BL", "XX", "Z9", "TE", "BM",
    "SZ", "GM", "CA", "FF", "AP", "DT", "KO", "A1B2",
)  # fmt: skip
TOKENS = (
    "(", ")", ";", "[", "]", "\\", ":", ",", "(;", ")(", "\n", "\r\n", " ", "\n(;SZ[5]", "\n(;FF[4]GM[11]", "B[a1]",
    "W[b2]", "W[swap-pieces]", "W[swap]", "B[]", "B[a1]W[b2]", "AB[a1:c2]", "AE[a1]", "PL[W]", "SZ[3:2]", "SZ[19]",
    "GM[1]", "x1[5]", "f6W[a]", "b[a1]", "comment[x]", "C[", "CA[utf-16]", "CA[Shift_JIS]", "CA[rot13]", "IP[]",
    "AP[HexGui:0.9]", "FF[4]EV[x]", ";W[aa]", "SO[http://www.littlegolem.com]", "HEXWORLD[9]", "#", "#5,", ":s", ":S",
    ":p", ":rb", ":fw", "(a1)", "a1", "s19", "t20", "swap", "pass", "resign", "1.", "11", "5x5", "size 5", "red",
    "B+R", "{", "}", '"', '{"size": 5, "moves": ""}', "null", "true", "1e999", "-1", "9" * 30, "[" * 40,
    '{"a":' * 40, "\\ud800", "\0", "\x1b]52;c;aGk=\x07", "\u202e", "\x85", "\u2028", "\ufeff", "٣", "é", "%0A", "%00",
)  # fmt: skip

_COMMANDS = frozenset(("Cc", "Cs", "Zl", "Zp"))
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


# Records, made by chance


def make_record(chance: random.Random) -> Record:
    """Return a small record with all that records can hold."""
    side = chance.choice((1, 2, 3, 3, 4, 5, 5, 7, 11, 19))
    board = Board(side, side if chance.random() < 0.8 else chance.randint(1, 6))
    record = Record(board, Node(properties=_properties(chance, 0.5)))
    nodes = [record.root]
    for _ in range(chance.randint(0, 10)):
        parent = nodes[-1] if chance.random() < 0.7 else chance.choice(nodes)
        turn, setup = _content(chance, record, parent)
        try:
            nodes.append(record.append(parent, turn, setup, _properties(chance, 0.2)))
        except IllegalMoveError:
            continue
    return record


def _properties(chance: random.Random, share: float) -> dict[str, tuple[str, ...]]:
    if chance.random() > share:
        return {}
    names = chance.choices(NAMES, k=chance.randint(1, 3))
    return {name: tuple(_values(chance)) for name in names}


def _values(chance: random.Random) -> list[str]:
    return [escape(chance.choice(TEXTS)) for _ in range(chance.choice((1, 1, 1, 2)))]


def _content(chance: random.Random, record: Record, parent: Node) -> tuple[Turn | None, Setup]:
    kind = chance.random()
    cells = range(record.board.cells)
    if kind < 0.05:
        return None, NO_SETUP
    if kind < 0.15:
        chosen = chance.sample(cells, min(len(cells), 4))
        to_move = chance.choice((None, *Color))
        sets = [frozenset(chosen[i : i + 1 + i % 2]) for i in (0, 1, 3)]
        return None, Setup(sets[0], sets[1], sets[2], to_move)
    position = record.position(parent)
    color = position.to_move if chance.random() < 0.9 else chance.choice(list(Color))
    if kind < 0.85 and position.empties:
        return Turn(color, Move.play(chance.choice(position.empties))), NO_SETUP
    move = Move(chance.choice([k for k in MoveKind if k is not MoveKind.PLAY]))
    return Turn(color, move, move.kind is MoveKind.RESIGN and chance.random() < 0.5), NO_SETUP


def make_text(chance: random.Random) -> str:
    """Return the text of a file with one or a few records in a format."""
    if chance.random() < 0.1:
        return "\n".join(_little_golem(chance) for _ in range(chance.choice((1, 1, 2))))
    form = chance.choice((Format.SGF, Format.SGF, Format.SGF, *OTHERS))
    return "".join(_one(chance, form) for _ in range(chance.choice((1, 1, 1, 1, 2, 3))))


def _one(chance: random.Random, form: Format) -> str:
    record = make_record(chance)
    try:
        return write_record(record, form).rstrip("\n") + "\n"
    except RecordError:  # the format cannot hold it
        moves = [Move.play(cell) for cell in range(chance.randint(0, record.board.cells))]
        return write_record(Record.of_moves(record.board, moves[:8]), form).rstrip("\n") + "\n"


def _little_golem(chance: random.Random) -> str:
    side = chance.choice((11, 13, 19))
    points = [f"{chr(97 + chance.randrange(side))}{chr(97 + chance.randrange(side))}"]
    points += ["swap"] if chance.random() < 0.5 else []
    points += [f"{chr(97 + chance.randrange(side))}{chr(97 + chance.randrange(side))}" for _ in range(3)]
    points += ["resign"] if chance.random() < 0.5 else []
    moves = "".join(f";{'WB'[n % 2]}[{point}]" for n, point in enumerate(points))
    names = [chance.choice(TEXTS) for _ in range(2)]
    return (
        f"(;FF[4]EV[{chance.choice(TEXTS)}]PB[{names[0]}]PW[{names[1]}]SZ[{side}]"
        f"RE[{chance.choice('BWx')}]SO[http://www.littlegolem.com]{moves})"
    )


# Alterations


def alter(data: bytes, chance: random.Random) -> bytes:
    """Return the text changed at one to a few places."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 5, 8))):
        data = chance.choice(_ALTERATIONS)(data, chance)
    return data


def _place(data: bytes, chance: random.Random) -> int:
    return chance.randint(0, len(data))


def _piece(data: bytes, chance: random.Random) -> tuple[int, int]:
    start = _place(data, chance)
    return start, min(len(data), start + chance.choice((1, 1, 2, 5, 20, 100)))


def _with_token(data: bytes, chance: random.Random) -> bytes:
    at = _place(data, chance)
    return data[:at] + chance.choice(TOKENS).encode() + data[at:]


def _with_token_at_sign(data: bytes, chance: random.Random) -> bytes:
    """Insert a token where something begins, so that more of the text stays whole."""
    signs = [at for at, byte in enumerate(data) if byte in b"();[],\n "]
    at = chance.choice(signs) if signs else 0
    return data[:at] + chance.choice(TOKENS).encode() + data[at:]


def _with_property(data: bytes, chance: random.Random) -> bytes:
    """Insert a property of any name behind a value."""
    ends = [at + 1 for at, byte in enumerate(data) if byte in b"];"]
    at = chance.choice(ends) if ends else 0
    letters = "abxyzABCFGMPSWZ0123456789"
    name = "".join(chance.choices(letters, k=chance.randint(1, 4)))
    if chance.random() < 0.3:
        name = chance.choice(NAMES)
    return data[:at] + f"{name}[{escape(chance.choice(TEXTS))}]".encode() + data[at:]


def _with_byte(data: bytes, chance: random.Random) -> bytes:
    at = _place(data, chance)
    return data[:at] + chance.randbytes(1) + data[at:]


def _with_other_byte(data: bytes, chance: random.Random) -> bytes:
    at = _place(data, chance)
    return data[:at] + chance.randbytes(1) + data[at + 1 :]


def _without_piece(data: bytes, chance: random.Random) -> bytes:
    start, end = _piece(data, chance)
    return data[:start] + data[end:]


def _with_piece_again(data: bytes, chance: random.Random) -> bytes:
    start, end = _piece(data, chance)
    at = _place(data, chance)
    return data[:at] + data[start:end] + data[at:]


def _with_variation_again(data: bytes, chance: random.Random) -> bytes:
    """Insert what stands in a pair of parentheses in front of another one."""
    opened = [at for at, byte in enumerate(data) if byte == 40]
    if not opened:
        return data + data
    start = chance.choice(opened)
    end = data.find(b")", start) + 1
    at = chance.choice(opened)
    return data[:at] + data[start:end] + data[at:] if end else data + data[start:]


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: _place(data, chance)]


def _nested(data: bytes, chance: random.Random) -> bytes:
    times = chance.choice((2, 50, 1200))
    return chance.choice((b"(", b"(;", b"[", b"{", b'{"a":', b'{"size":', b"#5,a1(")) * times + data


def _encoded(data: bytes, chance: random.Random) -> bytes:
    encoding = chance.choice(("utf-16", "utf-32", "utf-8-sig", "latin-1", "shift_jis", "gb18030"))
    return data.decode(errors="replace").encode(encoding, "replace")


_ALTERATIONS: Sequence[Callable[[bytes, random.Random], bytes]] = (
    *[_with_token] * 4, *[_with_token_at_sign] * 5, *[_with_property] * 4, *[_with_byte] * 2,
    *[_with_other_byte] * 3, *[_without_piece] * 4, *[_with_piece_again] * 3,
    *[_with_variation_again] * 2, _cut, _nested, _encoded,
)  # fmt: skip


# What must hold


class WrongError(Exception):
    """What should not happen: the message says what."""


def check(data: bytes, chance: random.Random, measured: bool = False) -> int:
    """Have a text read and all that comes of it written and read again.

    Returns the number of its records. Raises WrongError, or what the program should have caught.
    """
    records = []
    try:
        for game in read_collection(data):
            if isinstance(game, BrokenGame):
                check_error(game.error)
            else:
                records.append(game)
    except RecordError as error:
        check_error(error)
    for record in records[:3]:
        check_sgf(record)
        check_other(record, chance.choice(OTHERS))
    if chance.random() < 0.1:
        check_choosing(data, records)
    if measured and records:
        check_guard_and_pictures(records[0])
    return len(records)


def check_error(error: RecordError) -> None:
    """An error is one line that any terminal may show."""
    line = str(error)
    if not line.strip() or len(line) > LONGEST_LINE or any(map(_commands, line)):
        raise WrongError(f"an error that is no clean line: {line!r}")


def _commands(character: str) -> bool:
    """Whether a terminal could do something else with a character than show it."""
    return unicodedata.category(character) in _COMMANDS or character in _BIDI


def check_sgf(record: Record) -> None:
    """SGF gives the same record, and the same text."""
    text = write_record(record, Format.SGF)
    again = read_record(text.encode())
    if not again.origin or not again.origin.alone:
        raise WrongError(f"sgf: one game reads back as several: {text!r}")
    if content(again) != content(record):
        raise WrongError(f"sgf: another record reads back: {text!r}")
    if write_record(again, Format.SGF) != text:
        raise WrongError(f"sgf: another text is written: {text!r}")


def check_other(record: Record, form: Format) -> None:
    """Another format gives what it says it holds, and the same text."""
    try:
        text = write_record(record, form)
    except RecordError as error:
        return check_error(error)
    again = read_record(text.encode())
    if not again.origin or not again.origin.alone:
        raise WrongError(f"{form}: one game reads back as several: {text!r}")
    lost = losses(record, form)
    end, last = _cursor(record, form), _cursor(again, form)
    here, there = record.position(end), again.position(last)
    if (here.board, here.stones, here.to_move) != (there.board, there.stones, there.to_move):
        raise WrongError(f"{form}: another position reads back: {text!r}")
    if not lost and record.turns(end) != again.turns(last):
        raise WrongError(f"{form}: other moves read back: {text!r}")
    if not lost and record.result.winner != again.result.winner:
        raise WrongError(f"{form}: another winner reads back: {text!r}")
    if write_record(again, form) != text:
        raise WrongError(f"{form}: another text is written: {text!r}")


def _cursor(record: Record, form: Format) -> Node:
    links = form in (Format.HEXWORLD, Format.HEXATA)
    return (record.shown() if links else None) or record.root.end()


def check_choosing(data: bytes, records: Sequence[Record]) -> None:
    """A game that is read by its number is the one that stands there."""
    number = records[-1].origin.number if records and records[-1].origin else 1
    try:
        chosen = read_record(data, number)
    except RecordError as error:
        check_error(error)
        return
    if not records or content(chosen) != content(records[-1]):
        raise WrongError(f"game {number} is another one when it is read alone")


def check_guard_and_pictures(record: Record) -> None:
    """The guard lets a good record pass; what is drawn of it is well-formed."""
    written(record, Format.SGF)
    ElementTree.fromstring(svg_diagram(record, record.root.end(), True))
    if not hexwiki_diagram(record, record.root.end()).strip().isprintable():
        raise WrongError("a diagram for HexWiki that is no clean line")


def content(record: Record) -> tuple[object, ...]:
    """Return all that a record holds, in a form that is compared as a whole."""
    nodes = tuple(
        (
            len(node.children),
            node.turn,
            (node.setup.black, node.setup.white, node.setup.empty, node.setup.to_move),
            tuple(node.properties.items()),
        )
        for node in record.nodes()
    )
    return str(record.board), nodes


# Seeds


@lru_cache(maxsize=4)
def _text(number: int) -> bytes:
    return make_text(random.Random(f"record {number}")).encode(errors="replace")


def case(seed: int) -> bytes:
    """Return the altered text of a seed."""
    return alter(_text(seed // CHANGES), random.Random(seed))


def attack(seed: int) -> str | None:
    """Return what goes wrong with a seed, None if nothing does."""
    data = case(seed)
    wrong = _wrong(data, seed)
    if wrong is None:
        return None
    smallest = _smallest(data, partial(_wrong, seed=seed), wrong.partition(":")[0])
    return f"{_wrong(smallest, seed)}\n  smallest case: {smallest!r}"


def _wrong(data: bytes, seed: int) -> str | None:
    measured = seed % MEASURED == 0
    if measured:
        tracemalloc.start()
    try:
        check(data, random.Random(seed), measured)
        if measured:
            peak = tracemalloc.get_traced_memory()[1]
            if peak > SPARE_BYTES + BYTES_A_BYTE * len(data):
                return f"memory: {peak} bytes for {len(data)}"
    except WrongError as error:
        return str(error)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        if measured:
            tracemalloc.stop()
    return None


def _smallest(data: bytes, wrong: Callable[[bytes], str | None], kind: str) -> bytes:
    """Return what is left when all is cut out that the failure does not need."""
    size = len(data) // 2
    while size:
        at = 0
        while at < len(data):
            shorter = data[:at] + data[at + size :]
            found = wrong(shorter)
            if found is not None and found.startswith(kind):
                data = shorter
            else:
                at += size
        size //= 2
    return data


@dataclass(frozen=True)
class Done:
    """What became of a range of seeds; ``memory`` is the most the process has held, in KiB."""

    seeds: range
    failures: tuple[tuple[int, str], ...]
    memory: int


def run(chosen: range) -> Done:
    """Attack with all seeds of a range."""
    found = tuple((seed, wrong) for seed in chosen if (wrong := attack(seed)) is not None)
    return Done(chosen, found, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def _in_parts(chosen: range) -> Iterator[range]:
    for start in range(chosen.start, chosen.stop, CHUNK):
        yield range(start, min(start + CHUNK, chosen.stop))


def main() -> int:
    """Attack with the seeds of the command line; returns 1 if there are failures."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture.records")
    parser.add_argument("--seeds", type=seeds, required=True, metavar="FIRST:LAST")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    chosen: range = options.seeds
    begun = time.monotonic()
    done = failed = 0
    memory: list[int] = []
    with ProcessPoolExecutor(options.processes) as pool:
        for part in pool.map(run, _in_parts(chosen)):
            done += len(part.seeds)
            failed += len(part.failures)
            memory.append(part.memory)
            for seed, wrong in part.failures:
                print(f"seed {seed}: {wrong}", flush=True)
            rate = done / (time.monotonic() - begun)
            line = f"up to {part.seeds[-1]}: {failed} failed, {rate:.0f} a second, "
            print(f"{line}{part.memory >> 10} MiB", file=sys.stderr, flush=True)
    summary = {
        "seeds": f"{chosen[0]}:{chosen[-1]}",
        "failed": failed,
        "a second": round(done / (time.monotonic() - begun)),
        "MiB at first and at last": [memory[0] >> 10, memory[-1] >> 10],
    }
    print(json.dumps(summary))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
