"""The story of a game says only what is proved, and what each fact rests on shows it."""

import random
import re

import pytest

from hextui.analysis.game_story import StoryFact, story_facts
from hextui.analysis.mistakes import GameSummary, OpeningMistake, ProvedSpan, game_summary
from hextui.engine.board import Board, Color
from hextui.records.record import Result
from hextui.text import Names
from hextui.words.story import fact_sentence, story_text
from tests.analysis.games import Line, known, line_of, played, random_game
from tests.oracles.sentences import PLAYERS, GameReader
from tests.samples import seeds
from tests.words.test_game_sentence import (
    Winners,
    drawn_winners,
    forget_some,
    proved_in,
    turning_points,
)

SPAN = r"(Red|Blue) (?:had a won game|is proved to win) (from|at) ply (\d+)(?: to (\d+)| (on))?"
INSTEAD = r", (?:where|before which) (?:only )?[a-z][0-9][a-z0-9, ]*? won"
RED, BLUE = Color.BLACK, Color.WHITE
UNKNOWN = Result.parse("")


class StoryReader(GameReader):
    """Reads the sentences of a story, too."""

    def check_fact(self, sentence: str) -> int:
        """Check the claims of a sentence; return the number of turning points that are named."""
        span = re.match(SPAN, sentence)
        if not span:
            return self.check(re.sub(INSTEAD, "", sentence))
        first, last = int(span[3]), int(span[4] or span[3])
        if span[2] == "from" and span[5]:
            last = len(self.known) - 1
        self._wins(PLAYERS[span[1]], range(first, last + 1), sentence)
        return 0


def drawn(seed: int) -> tuple[Line, Winners, GameSummary]:
    """Return a game with random proofs, who wins where, and its summary."""
    rng = random.Random(f"story {seed}")
    line = line_of(random_game(Board(4, 4), seed))[:-1]
    estimates = proved_in(line, forget_some(drawn_winners(line, rng), rng))
    winners: Winners = []
    for here in line:
        verdict = estimates.verdict(here.position)
        begins = not any(here.position.stones)  # the first stone can be swapped
        winners.append(None if verdict is None or begins else verdict.winner)
    return line, winners, game_summary(line, estimates, 10.0)


@pytest.mark.parametrize("seed", seeds(40, 2000))
def test_each_sentence_is_true_and_rests_on_proofs(seed: int) -> None:
    line, winners, summary = drawn(seed)
    reader, named = StoryReader(line, winners), 0
    for fact in story_facts(line, summary):
        if isinstance(fact.about, OpeningMistake):
            continue
        named += reader.check_fact(fact_sentence(fact, summary, Names.RED_BLUE))
        assert all(winners[at.ply] is at.winner for at in fact.plies)
        if isinstance(fact.about, ProvedSpan):
            assert shown(fact, line) == set(range(fact.about.first, fact.about.last + 1))
    assert named == turning_points(winners)


def shown(fact: StoryFact, line: Line) -> set[int]:
    """Return the plies at which a span's winner wins by its proofs, or after any move from one."""
    found = {at.ply for at in fact.plies}
    assert isinstance(fact.about, ProvedSpan)
    for ply in range(fact.about.first, fact.about.last):
        if ply in found and line[ply].position.to_move is not fact.about.color:
            found.add(ply + 1)
    return found


GAME = "a1 d4 b1 d3 c1 d2"


@pytest.mark.parametrize(
    ("winners", "wins", "result", "says"),
    [
        ({}, {}, "", "No move is proved to have given a win away."),
        (
            {4: RED, 5: RED, 6: RED},
            {},
            "B+R",
            "Red won, Blue resigned. Red is proved to win from ply 4 on. "
            "No move is proved to have given a win away.",
        ),
        (
            {3: BLUE, 4: RED, 5: BLUE, 6: BLUE},
            {3: ((9,), True), 4: ((9, 10), False)},
            "B+",
            "Red won. Blue had a won game at ply 3 (proved). "
            "Blue lost the win with 4. d3, where only b3 won, "
            "and had it back for good after 5. c1, where b3 or c3 won (proved). "
            "Blue is proved to win from ply 5 on. Blue wins the last position nevertheless.",
        ),
        (
            {2: RED, 5: BLUE},
            {2: ((6,), False)},
            "",
            "Red had a won game at ply 2 (proved). "
            "Red lost the win with 3. b1 or 5. c1, before which c2 won (proved). "
            "Blue is proved to win at ply 5.",
        ),
    ],
)
def test_the_paragraph(winners, wins, result: str, says: str) -> None:
    line = played(GAME)
    summary = game_summary(line, known(line, winners, wins), 10.0)
    facts = story_facts(line, summary)
    assert story_text(facts, summary, Result.parse(result), Names.RED_BLUE) == says


@pytest.mark.parametrize(("winner", "wins"), [(RED, "Red"), (BLUE, "Blue")])
def test_the_opening_rests_on_the_first_stone(winner: Color, wins: str) -> None:
    turns = "a1 d4 b1" if winner is RED else "a1 swap-pieces d4"
    line = played(turns)
    estimates = known(line, {1: winner})
    fact, *_ = story_facts(line, game_summary(line, estimates, 10.0))
    assert isinstance(fact.about, OpeningMistake)
    assert [(at.ply, at.winner) for at in fact.plies] == [(1, winner)]
