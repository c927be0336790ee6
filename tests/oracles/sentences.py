"""Readers of the lines GAME and HERE: each clause is checked against what is known at every ply.

They know the sentences only as texts. What contradicts a verdict, or cannot be read, raises
`ContradictionError`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hextui.analysis.game_positions import GamePosition
from hextui.engine.board import Color
from hextui.words.verdicts import Wording

PLAYERS = {"Red": Color.BLACK, "Blue": Color.WHITE}
SPAN = re.compile(r"(?:Proved(?: so far)?: )?(Red|Blue) wins (from|at) (\d+)(?: (?:to (\d+)|on))?")
TURNS = re.compile(r"(Red|Blue) (lost the win.*?) \(proved\)\.")
CLAUSE = re.compile(r"(lost the win|lost it|had it back)( again)?( for good)? (?:with|after) (.*)")
LISTED = "Proved mistakes: "
TOLD_BEFORE = "No moves yet.", "Not analysed yet.", "No proved mistake."
WINS = re.compile(r"(Red|Blue) wins(?:: (.*?)| with any move| here)?(?: \((?:proved|connected)\))?")
MOVE = re.compile(r"(Played|Tried) (\d+)\. ([a-z]+\d+|swap)(?: or (\d+)\. [a-z]+\d+)?(?:: (.*))?\.")
Winners = Sequence[Color | None]


class ContradictionError(AssertionError):
    """A sentence contradicts what is known, or cannot be read."""


def require(true: object, sentence: str) -> None:
    """Raise ContradictionError unless something is true."""
    if not true:
        raise ContradictionError(sentence)


def text_of(wording: Wording) -> str:
    """Return a wording without its tones."""
    return "".join(piece if isinstance(piece, str) else piece[0] for piece in wording)


@dataclass(frozen=True)
class GameReader:
    """Reads what GAME says of a game; ``known``: the proved winner at each ply, if there is one."""

    line: Sequence[GamePosition]
    known: Winners

    def check(self, sentence: str) -> int:
        """Check all claims; return the number of turning points that are named."""
        if span := SPAN.match(sentence):
            last = int(span[4] or span[3])
            if span[0].endswith(" on"):
                last = len(self.known) - 1
            self._wins(PLAYERS[span[1]], range(int(span[3]), last + 1), sentence)
            return 0
        if any(words in sentence for words in TOLD_BEFORE) or sentence.startswith("Analysing"):
            return 0
        if sentence.endswith(" lost a win (proved)."):
            self._lost(sentence)
            return 1
        if sentence.startswith(LISTED):
            return self._list(sentence)
        said = TURNS.match(sentence)
        if said is None:
            raise ContradictionError(sentence)
        clauses = re.split(r",? and (?=lost|had)|, (?=lost|had)", said[2])
        for clause in clauses:
            self._clause(clause, PLAYERS[said[1]])
        return len(clauses)

    def _wins(self, color: Color, plies: Sequence[int], sentence: str) -> None:
        require(plies, sentence)
        require({self.known[ply] for ply in plies} == {color}, sentence)

    def _clause(self, clause: str, me: Color) -> None:
        found = CLAUSE.fullmatch(clause)
        if found is None:
            raise ContradictionError(clause)
        giver = me.opponent if found[1] == "had it back" else me
        then = self._gave_away(giver, found[4], clause)
        if found[3]:
            self._wins(giver.opponent, range(then, len(self.known)), clause)

    def _list(self, sentence: str) -> int:
        """Check the turning points of ``Proved mistakes: Red 25. e3, Blue 28. d5 or 30. g4.``"""
        items = sentence.removesuffix(".").removeprefix(LISTED).split(", ")
        for item in items:
            player, _, moves = item.partition(" ")
            self._gave_away(PLAYERS[player], moves, sentence)
        return len(items)

    def _gave_away(self, giver: Color, moves: str, clause: str) -> int:
        """Check that one of these moves gave a win away; return where the other side has it."""
        named = re.findall(r"(\d+)\. ([a-z]+\d+)", moves)
        plies = [int(ply) for ply, _ in named]
        for ply, name in named:
            before = self.line[int(ply) - 1]
            require(before.position.to_move is giver, clause)
            require(before.cell == before.position.board.cell(name), clause)
        proved = [at for at, winner in enumerate(self.known) if winner is not None]
        last = max((at for at in proved if at < plies[0]), default=0)
        then = min((at for at in proved if at >= plies[-1]), default=0)
        require(self.known[last] is giver, clause)
        require(self.known[then] is giver.opponent, clause)
        own = [at + 1 for at in range(last, then) if self.line[at].position.to_move is giver]
        require(plies == own, f"{clause}: one of all its moves between gave the win away")
        return then

    def _lost(self, sentence: str) -> None:
        """Check the shortest wordings: the moves of the last turning point, or their plies."""
        if plies := re.match(r"(\d+)-(\d+) lost", sentence):
            proved = [at for at, winner in enumerate(self.known) if winner is not None]
            last = max(at for at in proved if at < int(plies[1]))
            then = min(at for at in proved if at >= int(plies[2]))
            require(self.known[last] is not self.known[then], sentence)
            return
        first = re.match(r"\d+", sentence)
        if first is None:
            raise ContradictionError(sentence)
        giver = self.line[int(first[0]) - 1].position.to_move
        self._gave_away(giver, sentence.removesuffix(" lost a win (proved)."), sentence)


@dataclass(frozen=True)
class HereReader:
    """Reads what HERE says of the position at a ply.

    ``known``: the proved winner at each ply. ``wins`` and ``losses``: the moves there that are
    known to win and to lose.
    """

    line: Sequence[GamePosition]
    known: Winners
    ply: int
    wins: frozenset[int]
    losses: frozenset[int]

    @property
    def mover(self) -> Color:
        """The side to move."""
        return self.line[self.ply].position.to_move

    def check(self, sentence: str) -> None:
        """Check all claims: who wins, by which moves, and what the next move does."""
        verdict, played, move = re.split(r"(?= ?Played )|$", sentence, maxsplit=1)[0], None, None
        if len(verdict) < len(sentence):
            played = sentence[len(verdict) :].strip()
            move = MOVE.fullmatch(played)
            require(move, sentence)
        if "wins" in verdict:
            self._verdict(verdict, sentence)
        elif over := re.match(r"(Red|Blue) has won\.", verdict):
            require(PLAYERS[over[1]] is self.known[self.ply], sentence)
        elif self.known[self.ply] is not None:
            raise ContradictionError(f"{sentence}: the winner is known")
        if move is not None:
            self._move(move, sentence)

    def _verdict(self, verdict: str, sentence: str) -> None:
        if swap := re.match(r"(Swap|Do not swap): ", verdict):
            mover_wins = self.known[self.ply] is self.mover
            require(mover_wins == (swap[1] != "Swap"), sentence)
            return
        wins = WINS.match(verdict.removeprefix("If nobody swaps, "))
        if wins is None:
            raise ContradictionError(sentence)
        winner = PLAYERS[wins[1]]
        require(winner is self.known[self.ply], sentence)
        if "every move of" in verdict:
            require(winner is not self.mover and not self.wins, sentence)
        if "by any move" in verdict:
            require(winner is self.mover and not self.losses, sentence)
        if wins[2]:
            self._winning_moves(wins[2].rstrip("."), verdict, sentence)

    def _winning_moves(self, moves: str, verdict: str, sentence: str) -> None:
        require(self.known[self.ply] is self.mover, sentence)
        board = self.line[self.ply].position.board
        named = {board.cell(name) for name in re.findall(r"\b[a-z]+\d+\b", moves)}
        require(named and named <= self.wins, sentence)
        more = re.search(r"(\d+) others?\b", moves)
        count = len(named) + (int(more[1]) if more else 0)
        require(count <= len(self.wins), sentence)
        if "every other move loses" in verdict:
            every = len(self.line[self.ply].position.empties)
            require(count == len(self.wins) and count + len(self.losses) == every, sentence)

    def _move(self, move: re.Match[str], sentence: str) -> None:
        here = self.line[self.ply]
        require(move[1] == "Played" and int(move[2]) == self.ply + 1, sentence)
        if move[3] != "swap":
            require(here.cell == here.position.board.cell(move[3]), sentence)
        if move[5] not in ("wins", "loses"):
            return
        last = int(move[4] or move[2])
        after = next((winner for winner in self.known[last:] if winner is not None), None)
        if not move[4]:
            after = self._after(here.cell)
        require((after is self.mover) == (move[5] == "wins") and after is not None, sentence)

    def _after(self, cell: int | None) -> Color | None:
        """Return who wins after the next move, by the move's verdict or the next position's."""
        if cell in self.wins:
            return self.mover
        if cell in self.losses:
            return self.mover.opponent
        return self.known[self.ply + 1]


def check_all(reader: GameReader | HereReader, wordings: Iterable[Wording]) -> int:
    """Check each wording; return how many there are."""
    texts = [text_of(wording) for wording in wordings]
    for text in texts:
        reader.check(text)
    return len(texts)
