"""Where games part that differ only in the k of one player, and whether the win was proved there.

Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 6.3, say of table 2 that the
games differ only in how moves are played after the win is certain. Certain is here: proved by
a virtual connection of the sides. Equal positions, players and seeds give equal moves, so games
part at a move of the player whose k differs.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from hextui.runs.intervals import share_of_pairs
from hextui.runs.proportions import Interval
from hextui.runs.reports import RunReport
from hextui.runs.results import Table
from hextui.text import counted

Game = dict[str, str]


@dataclass(frozen=True)
class Parting:
    """Two games that part: how many moves they share, and the two games' rows."""

    shared: int
    games: tuple[Game, Game]

    @property
    def proved(self) -> bool:
        """Whether the win was proved where they part."""
        return self.shared >= int(self.games[0]["proved after"])


@dataclass(frozen=True)
class Partings:
    """The pairs of games that differ in the k of one player, and those of them that part.

    ``pairs`` has the names of both games of each, ``before_proof`` whether they part before the win
    is proved. ``lost``: how many of the games were lost by the side for which they had been proved.
    """

    pairs: tuple[tuple[str, str], ...]
    before_proof: tuple[bool, ...]
    parted: tuple[Parting, ...]
    games: int
    lost: int

    @property
    def other_winners(self) -> tuple[Parting, ...]:
        """The pairs that are won by different players."""
        return tuple(p for p in self.parted if p.games[0]["winner"] != p.games[1]["winner"])

    def share_before_proof(self, seed: int) -> Interval | None:
        """Return the share of pairs that part before the win is proved, None without pairs."""
        return share_of_pairs(self.before_proof, self.pairs, seed) if self.pairs else None

    def counts(self) -> dict[str, int]:
        """Return all counts by their names in JSON."""
        parted = len(self.parted)
        not_proved = self.before_proof.count(True)
        return {
            "pairs": len(self.pairs),
            "equal": len(self.pairs) - parted,
            "parted_proved": parted - not_proved,
            "parted_not_proved": not_proved,
            "other_winner": len(self.other_winners),
            "games": self.games,
            "proved_and_lost": self.lost,
        }


def partings(table: Table) -> Partings:
    """Compare the games of E_k against E_k in these rows, of one reading that draws no lots."""
    games = table.records()
    by_players = {(game["opening"], game["first"], game["second"]): game for game in games}
    names = sorted({game[side] for game in games for side in ("first", "second")})
    pairs = []
    before_proof = []
    parted = []
    for opening in dict.fromkeys(game["opening"] for game in games):
        for first, second in _neighbours(names):
            if not {(opening, *first), (opening, *second)} <= by_players.keys():
                continue  # not played yet
            pair = by_players[opening, *first], by_players[opening, *second]
            pairs.append((" ".join((opening, *first)), " ".join((opening, *second))))
            shared = _shared(*pair)
            if shared is None:
                before_proof.append(False)
            else:
                parted.append(Parting(shared, pair))
                before_proof.append(not parted[-1].proved)
    lost = sum(game["proved for"] != game["winner"] for game in games)
    return Partings(
        pairs=tuple(pairs),
        before_proof=tuple(before_proof),
        parted=tuple(parted),
        games=len(games),
        lost=lost,
    )


def _neighbours(names: Sequence[str]) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Yield pairs of pairs of players that differ in the k of one player."""
    for same, (a, b) in product(names, combinations(names, 2)):
        yield (a, same), (b, same)
        yield (same, a), (same, b)


def _shared(first: Game, second: Game) -> int | None:
    """Return how many moves two games share at the beginning; None if they are equal."""
    moves = zip(first["moves"].split(), second["moves"].split(), strict=False)
    return next((number for number, (a, b) in enumerate(moves) if a != b), None)


def add_partings(made: RunReport, partings_by_pair: Mapping[str, Partings], size: str) -> None:
    """Add the test of section 6.3 to a report, by table, and the positions in which k decides."""
    if not partings_by_pair:
        return
    rows = []
    for name, each in partings_by_pair.items():
        games_of = f"table {name}" if name.isdigit() else name
        rows.append([games_of, *map(str, [*each.counts().values()][:5])])
    made.table(
        ["games", "pairs", "equal", "part, proved", "part, not proved", "other winner"],
        rows,
        "Where games part that differ in the k of one player (section 6.3), and\n"
        "whether a connection of the sides had proved the win there",
    )
    games = sum(each.games for each in partings_by_pair.values())
    lost = sum(each.lost for each in partings_by_pair.values())
    made.text(f"In {lost} of {counted(games, 'game')} the side that was proved to win lost.")
    other_winners = [pair for each in partings_by_pair.values() for pair in each.other_winners]
    if deciding := _deciding(other_winners, size):
        caption = "Where k decides: the moves by which the games part"
        made.table(["position", "won by", "lost by"], deciding, caption)


def _deciding(pairs: Sequence[Parting], size: str) -> list[list[str]]:
    """Return a row a position, with the moves after which its mover wins and loses."""
    deciding: dict[str, dict[bool, set[str]]] = {}
    for pair in pairs:
        moves = [game["moves"].split() for game in pair.games]
        mover = ("first", "second")[pair.shared % 2]
        position = _position(size, moves[0][: pair.shared])
        for game, line in zip(pair.games, moves, strict=True):
            outcomes = deciding.setdefault(position, {True: set(), False: set()})
            move = f"{game[mover]} {line[pair.shared]}"
            outcomes[game["winner"] == mover].add(move)
    rows = []
    for position, outcomes in deciding.items():
        rows.append(
            [position, ", ".join(sorted(outcomes[True])), ", ".join(sorted(outcomes[False]))]
        )
    return rows


def positions_to_solve(partings_found: Sequence[Parting], size: str) -> list[str]:
    """Return the positions after the moves by which games part unproved, each once."""
    positions = (
        _position(size, game["moves"].split()[: parting.shared + 1])
        for parting in partings_found
        if not parting.proved
        for game in parting.games
    )
    return list(dict.fromkeys(positions))


def _position(size: str, moves: Sequence[str]) -> str:
    """Return a position as the command line takes it: ``#7,b2c5``; ``size`` is as in 7x7.

    >>> _position("7x7", ["b2", "c5"]), _position("4x5", [])
    ('#7,b2c5', '#4x5,')
    """
    columns, rows = size.split("x")
    return f"#{rows if rows == columns else size},{''.join(moves)}"
