"""Altered records of every format that is read: what can be read can be written and read again.

    python -m tests.stress.records --seeds FIRST:LAST [--processes N]

A seed makes a record, writes it in a format, alters the text a few times, and has it read. What may
happen: records, or errors of one clean line. Each record is then written, in SGF and in one other
format, and read again: SGF must give the same record, the other formats what they say they hold.
"""

import argparse
import random
import re
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from xml.etree import ElementTree

from hextui.records.formats import read_collection, read_record
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.records.tree import Node
from hextui.records.writing import export, written
from tests.records.trees import text_as
from tests.stress.altered import OTHERS, alter, make_text
from tests.stress.seeds import run_seeds

CHANGES = 8  # altered texts of each record
LONGEST_LINE = 450  # characters of an error
MEASURED = 500  # one in so many has its memory measured, and its pictures drawn
SPARE_BYTES, BYTES_A_BYTE = 4 << 20, 4000  # of memory: pieces of files, and small nodes

# What a terminal could do something else with than show it: controls, halves of pairs, ends of
# lines, and marks that reorder a line.
_COMMANDS = re.compile(
    "[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


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
            if isinstance(game, RecordError):
                check_error(game)
            else:
                records.append(game)
    except RecordError as error:
        check_error(error)
    for record in records[:3]:
        check_sgf(record)
        check_other(record, chance.choice(OTHERS))
    if chance.random() < 0.1:
        check_choosing(data, records)
    if len(records) > 1 and chance.random() < 0.3:
        check_together(records, chance.choice(("sgf", *OTHERS)))
    if measured and records:
        check_guard_and_pictures(records[0])
    return len(records)


def check_error(error: RecordError) -> None:
    """An error is one line that any terminal may show."""
    line = str(error)
    if not line.strip() or len(line) > LONGEST_LINE or _COMMANDS.search(line):
        raise WrongError(f"an error that is no clean line: {line!r}")


def check_sgf(record: Record) -> None:
    """SGF gives the same record, and the same text."""
    text = text_as("sgf", record)
    again = read_record(text.encode())
    if not again.origin or not again.origin.alone:
        raise WrongError(f"sgf: one game reads back as several: {text!r}")
    if content(again) != content(record):
        raise WrongError(f"sgf: another record reads back: {text!r}")
    if text_as("sgf", again) != text:
        raise WrongError(f"sgf: another text is written: {text!r}")


def check_other(record: Record, form: str) -> None:
    """Another format gives what it says it holds, and the same text."""
    try:
        text = text_as(form, record)
    except RecordError as error:
        return check_error(error)
    again = read_record(text.encode())
    if not again.origin or not again.origin.alone:
        raise WrongError(f"{form}: one game reads back as several: {text!r}")
    lost = written(record, form).lost
    end, last = _cursor(record, form), _cursor(again, form)
    here, there = record.position(end), again.position(last)
    if (here.board, here.stones, here.to_move) != (there.board, there.stones, there.to_move):
        raise WrongError(f"{form}: another position reads back: {text!r}")
    if not lost and record.turns(end) != again.turns(last):
        raise WrongError(f"{form}: other moves read back: {text!r}")
    if not lost and record.result.winner != again.result.winner:
        raise WrongError(f"{form}: another winner reads back: {text!r}")
    if text_as(form, again) != text:
        raise WrongError(f"{form}: another text is written: {text!r}")


def _cursor(record: Record, form: str) -> Node:
    links = form in ("hexworld", "hexata")
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


def check_together(records: Sequence[Record], form: str) -> None:
    """Games that are written one after another read back as they are, each of them."""
    texts = []
    for record in records:
        try:
            texts.append(text_as(form, record).rstrip("\n") + "\n")
        except RecordError as error:
            check_error(error)
    again = list(read_collection("".join(texts).encode()))
    if len(again) != len(texts):
        raise WrongError(f"{form}: {len(texts)} games read back as {len(again)}: {texts!r}")
    for game, text in zip(again, texts, strict=True):
        alone = read_record(text.encode())
        if isinstance(game, RecordError) or content(game) != content(alone):
            raise WrongError(f"{form}: one of several games reads back as another: {texts!r}")


def check_guard_and_pictures(record: Record) -> None:
    """The guard lets a good record pass; what is drawn of it is well-formed."""
    written(record, "sgf")
    ElementTree.fromstring(export(record, record.root.end(), "svg", numbers=True))
    if not str(export(record, record.root.end(), "hexwiki")).strip().isprintable():
        raise WrongError("a diagram for HexWiki that is no clean line")


def content(record: Record) -> tuple[object, ...]:
    """Return all that a record holds, in a form that is compared as a whole."""
    nodes = tuple(
        (
            len(node.children),
            node.turn,
            (node.setup.cells, node.setup.to_move),
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


def attack_seed(seed: int, options: argparse.Namespace) -> str | None:
    """Attack with a seed in any process."""
    return attack(seed)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what only this attack takes."""
    parser.add_argument("--processes", type=int, default=1, metavar="N")


if __name__ == "__main__":
    sys.exit(run_seeds("records", attack_seed, add_options=add_options))
