"""Numbers on the screen: values with three significant digits, counts whole and with commas."""

import re
from dataclasses import replace

import pytest

from hextui.engine.board import Color
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.questions import Judge
from hextui.engines.snapshot import ConnectionCounts
from hextui.ui.panels.all_panels import PANELS
from tests.samples import some

from .helpers import analysing, game, press, shown, tell, until
from .test_engines import KATA, report, with_engines
from .test_proof_panels import solved

RANKERS = ("k-paths:2", "resistance", "contribution-own:1", "two-distance")


NUMBER = re.compile(r"(?<![\w.,#-])\d+(?:,\d+)*(?:\.\d+)?(?:e[+-]\d+)?(?![\w-])")
YEAR = re.compile(r"(19|20)\d\d")


def wrong_numbers(screen: str) -> list[str]:
    """Return the numbers with more than three significant digits, or without commas."""
    found = []
    for text in NUMBER.findall(screen):
        if YEAR.fullmatch(text):
            continue
        whole, point, after = text.partition("e")[0].partition(".")
        if point:
            significant = f"{whole}{after}".replace(",", "").lstrip("0")
            found += [text] * (len(significant) > 3)
        else:
            found += [text] * (len(whole) > 3 and f"{int(whole.replace(',', '')):,}" != whole)
    return found


def test_what_is_wrong_is_found():
    assert wrong_numbers("0.1234 1234 12,345 0.0123 1.23e+05 99.98% c12 x 12345 123.4") == [
        "0.1234", "1234", "99.98", "12345", "123.4"
    ]  # fmt: skip


def known(position):
    """Return an analysis with large counts and values of many digits."""
    *_, judged = OwnAnswerer().answers(Judge(position, RANKERS))
    searched = report(position)
    moves = tuple(replace(move, visits=1_234_567, winrate=0.123456) for move in searched.moves)
    return {
        "rankings": judged.rankings,
        "reports": {KATA: replace(searched, visits=12_345_678, moves=moves, seconds=1.23456)},
        "solution": solved(position, nodes=12_345_678, seconds=0.123456, table_used=0.123456),
        "connections": {color: ConnectionCounts(12_345, 23_456, False) for color in Color},
    }


@pytest.mark.parametrize("moves", some([("b2", "d4", "c1"), ()], 1))
async def test_on_the_panels(moves):
    session = game(*moves)
    session.last()
    async with with_engines(session, (140, 45)) as (pilot, analyst):
        analyst.lines_by = KATA
        await tell(pilot, analyst, **known(session.position), lines_by=KATA)
        for keys in ("1", "2", "3", "4", *(panel.KEY for panel in PANELS)):
            await press(pilot, keys)
            assert wrong_numbers(shown(pilot)) == [], keys


@pytest.mark.parametrize("name", some(RANKERS, 2))
async def test_in_explanations(name):
    session = game("b2", "d4", "c1")
    session.last()
    async with analysing(session, (140, 45)) as (pilot, _):
        pilot.app.main.workspace.choose(evaluator=name)
        await press(pilot, "H")
        await until(pilot, lambda: "1 of " in shown(pilot))
        seen = set[str]()
        while shown(pilot) not in seen:
            seen.add(shown(pilot))
            assert wrong_numbers(shown(pilot)) == []
            await press(pilot, "n")
        assert len(seen) > 3
