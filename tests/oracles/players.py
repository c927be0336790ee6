"""A plain reader of games, one JSON object a line: counts every figure of a player by going through
all games, on coordinates and sets, with nothing of the program but the wording of its JSON.

A position is the board's sides, stones as ``(row, column, colour)``, who moves, and whether the
other side's first stone may be swapped.
"""

import json
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

Game = dict[str, Any]
State = tuple[int, int, frozenset[tuple[int, int, str]], str, bool]
Counts = Counter[str]
OTHER = {"red": "blue", "blue": "red"}
SCORE = {True: "wins", False: "losses", None: "open"}


def fold(name: str) -> str:
    plain = unicodedata.normalize("NFKC", name)
    visible = "".join(sign for sign in plain if unicodedata.category(sign) != "Cf")
    return " ".join(visible.casefold().split())


def wilson(wins: int, trials: int) -> tuple[float, float]:
    """Return the ends of the interval: the roots of (p - w/n)^2 = z^2 p (1 - p) / n."""
    if not trials:
        return 0.0, 1.0
    z2 = 1.959963984540054**2
    a = trials + z2
    b = -(2 * wins + z2)
    c = wins * wins / trials
    root = sqrt(max(b * b - 4 * a * c, 0.0))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def sides(game: Game) -> tuple[int, int]:
    size = game["size"]
    return (size, size) if isinstance(size, int) else (size["rows"], size["columns"])


def cell(name: str) -> tuple[int, int]:
    return int(name[1:]) - 1, ord(name[0]) - ord("a")


def empty(game: Game) -> State:
    return (*sides(game), frozenset(), "red", False)


def play(state: State, word: str) -> State:
    """Return the position after a move."""
    rows, columns, stones, mover, _ = state
    if word == "swap-sides":  # who moved first moves again, with the other colour
        return rows, columns, stones, mover, False
    if word == "swap-pieces":
        ((row, column, _),) = stones
        return rows, columns, frozenset([(column, row, "blue")]), "red", False
    stone = (*cell(word), mover)
    return rows, columns, stones | {stone}, OTHER[mover], not stones


def images(state: State) -> Iterator[State]:
    rows, columns, stones, mover, swap = state
    mirrored = frozenset((column, row, OTHER[color]) for row, column, color in stones)
    for tall, wide, placed, side in (
        (rows, columns, stones, mover),
        (columns, rows, mirrored, OTHER[mover]),
    ):
        turned = frozenset((tall - 1 - row, wide - 1 - column, c) for row, column, c in placed)
        yield tall, wide, placed, side, swap
        yield tall, wide, turned, side, swap


def canonical(state: State) -> tuple[object, ...]:
    """Return what is equal for positions that are the same game."""
    return min((*image[:2], tuple(sorted(image[2])), *image[3:]) for image in images(state))


def chain(state: State) -> str | None:
    """Return the colour whose stones join its sides."""
    rows, columns, stones, _, _ = state
    for color in OTHER:
        own = {(row, column) for row, column, c in stones if c == color}
        axis, last = (0, rows - 1) if color == "red" else (1, columns - 1)
        reached = [place for place in own if place[axis] == 0]
        seen = set(reached)
        for row, column in reached:
            for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)):
                place = (row + down, column + right)
                if place in own and place not in seen:
                    seen.add(place)
                    reached.append(place)
        if any(place[axis] == last for place in seen):
            return color
    return None


def course(game: Game) -> list[State]:
    """Return the positions of a game, up to the first chain."""
    states = [empty(game)]
    for word in game["moves"].split():
        if chain(states[-1]):
            break
        states.append(play(states[-1], word))
    return states


def read(path: Path) -> list[Game]:
    """Return the games of a file without those equal in moves and winner to an earlier one."""
    there = set()
    games = []
    for line in path.read_text().splitlines():
        game = json.loads(line)
        final = empty(game)
        for word in game["moves"].split():
            final = play(final, word)
        game["won by"] = chain(final) or game.get("winner")
        key = (sides(game), game["moves"], game["won by"])
        if key not in there:
            there.add(key)
            games.append(game)
    return games


@dataclass
class Figures:
    """What is counted of a player: counts of wins, losses and open games by what they belong to."""

    total: Counts
    itself: int
    colors: dict[str, Counts]
    sizes: dict[tuple[int, int], Counts]
    openings: dict[tuple[object, ...], Counts]
    opponents: dict[str, Counts]
    tree: dict[tuple[object, ...], Counts]
    ratings: list[tuple[str, int]]


def figures(games: list[Game], name: str, plies: int) -> Figures:
    """Count all figures of a player in games, the tree of openings to some plies."""
    counted = Figures(Counter(), 0, {"red": Counter(), "blue": Counter()}, {}, {}, {}, {}, [])
    for game in games:
        own = [color for color in OTHER if fold(game.get(color) or "") == fold(name)]
        if len(own) == 2:
            counted.itself += 1
        elif own:
            count(counted, game, own[0], plies)
    counted.ratings.sort()
    return counted


def count(counted: Figures, game: Game, color: str, plies: int) -> None:
    won = None if game["won by"] is None else game["won by"] == color
    result = SCORE[won]
    words = game["moves"].split()
    swapped = words[1:2] in (["swap-pieces"], ["swap-sides"])
    first = "blue" if words[1:2] == ["swap-sides"] else "red"
    opened = first == color
    states = [canonical(state) for state in course(game)]
    counted.total[result] += 1
    counted.colors[color][result] += 1
    counted.sizes.setdefault(sides(game), Counter())[result] += 1
    opponent = fold(game.get(OTHER[color]) or "")
    counted.opponents.setdefault(opponent, Counter())[result] += 1
    if len(states) > 1:
        key = (sides(game), states[1], opened, swapped)
        counted.openings.setdefault(key, Counter())[result] += 1
    for ply in range(min(plies + 1, len(states))):
        path = (sides(game), opened, *states[1 : ply + 1])
        counted.tree.setdefault(path, Counter())[result] += 1
    rating = game.get("playerRedRating" if color == "red" else "playerBlueRating")
    if rating and game.get("date"):
        counted.ratings.append((game["date"], rating))
