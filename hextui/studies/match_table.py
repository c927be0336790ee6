"""The study ``match-table``: E_k against E, and against each other.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 6.2, tables 1 and 2.
Table 1: E_0, E_1 and E_2 play E, so many games as first player and as many as second.
Table 2: they play each other, every ordered pair. All play one ply deep (section 6.1), without
the swap rule.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSettings
from hextui.studies.match import play_game
from hextui.studies.readings import Reading
from hextui.studies.results import Row
from hextui.studies.runs import Task

LEVELS = (0, 1, 2)
COLUMNS = ("reading", "table", "first", "second", "game", "seed", "winner", "plies", "moves")


@dataclass(frozen=True)
class Encounter:
    """A game to be played; ``first`` and ``second`` are what the paper calls the players."""

    reading: str
    table: int
    first: str
    second: str
    names: tuple[str, str]
    connections: ConnectionSettings
    board: Board
    game: int
    seed: int


def encounters(readings: Sequence[Reading], board: Board, games: int, seed: int) -> list[Task]:
    """Return all games of both tables, reading by reading.

    Every pairing that draws lots plays ``games`` games, the others one: it would repeat itself.
    """
    found: list[Encounter] = []
    for reading in readings:
        names = {"E": reading.e, **{f"E_{k}": reading.e_k(k) for k in LEVELS}}
        pairs = [(1, a, b) for k in LEVELS for a, b in ((f"E_{k}", "E"), ("E", f"E_{k}"))]
        pairs += [(2, f"E_{a}", f"E_{b}") for a in LEVELS for b in LEVELS]
        for table, first, second in pairs:
            repeats = reading.e_options == "ties=first" if table == 1 else not reading.draws
            for game in range(1, (1 if repeats else games) + 1):
                mixed = random.Random(f"{seed} {reading.name} {first} {second} {game}")
                found.append(
                    Encounter(
                        reading.name,
                        table,
                        first,
                        second,
                        (names[first], names[second]),
                        reading.connections,
                        board,
                        game,
                        mixed.getrandbits(31),
                    )
                )
    return [Task(number, encounter) for number, encounter in enumerate(found)]


def play_encounter(encounter: Encounter) -> list[Row]:
    """Play a game; return its row."""
    board = encounter.board
    game = play_game(*encounter.names, board, encounter.seed, connections=encounter.connections)
    return [
        (
            encounter.reading,
            encounter.table,
            encounter.first,
            encounter.second,
            encounter.game,
            encounter.seed,
            "first" if game.winner is Color.BLACK else "second",
            len(game.moves),
            " ".join(move.name(board) for move in game.moves),
        )
    ]
