"""What the solver decides: openings, puzzles, plies of games, and many small positions.

    python -m tests.benchmarks.solve openings 8 openings.jsonl --seconds 600
    python -m tests.benchmarks.solve puzzles --seconds 30
    python -m tests.benchmarks.solve games verdicts.jsonl --against verdicts-before.jsonl
    python -m tests.benchmarks.solve late human_11x11.jsonl late.jsonl --cells 4 10 8
    python -m tests.benchmarks.solve late human_11x11.jsonl back.jsonl --odd --back --seconds 1
    python -m tests.benchmarks.solve late human_13x13.jsonl now.jsonl --odd --plies 8 24 \
        --count 200 --seconds 1 --against before.jsonl
    python -m tests.benchmarks.solve wide

Seconds are CPU time. ``openings``, ``games`` and ``late`` write a line of JSON for each position,
and continue where they were stopped. ``puzzles``, ``games`` and ``late`` read the folder
HEXTUI_TEST_DATA.
"""

import argparse
import csv
import json
import os
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hextui.engine.board import Board, Color
from hextui.engine.connections import find_connections
from hextui.engine.limit import Limit
from hextui.engine.position import Move, Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.search import Search
from hextui.engine.solver.solution import Solution
from hextui.engines.analysis_stages import verdict
from hextui.engines.limits import TABLE_MB
from hextui.records.formats import parse_position_argument
from hextui.runs.intervals import mean_over_games
from research.studies.comparing import difference_of_means

Row = dict[str, object]
WIDE = Path(__file__).with_name("wide_positions.json")
EARLIEST, LATEST = 6, 20  # plies before the end of a late position


def data_folder() -> Path:
    """Return the folder of real games and puzzles."""
    return Path(os.environ.get("HEXTUI_TEST_DATA", "."))


def until(seconds: float) -> Callable[[], bool]:
    """Return what tells whether so much CPU time has passed since now."""
    end = time.process_time() + seconds
    return lambda: time.process_time() > end


def read(file: Path) -> list[Row]:
    """Return the rows that a file holds so far."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def write(file: Path, row: Row) -> None:
    """Add a row to a file."""
    with file.open("a") as out:
        print(json.dumps(row), file=out, flush=True)
    print(json.dumps(row), flush=True)


def winner_of(solution: Solution) -> str | None:
    """Return the winner as it is written into a row."""
    return None if solution.winner is None else str(solution.winner)


# Openings


def openings(options: argparse.Namespace) -> None:
    """Solve the openings of a square board; of two that a rotation exchanges the first is taken.

    Openings that the file has solved already are skipped, those tried in vain come last.
    """
    board = Board(options.size, options.size)
    settings = SolverSettings(table_bytes=options.memory << 20, threads=options.threads)
    solved = {row["opening"]: bool(row["winner"]) for row in read(options.out)}
    left = [c for c in range((board.cells + 1) // 2) if not solved.get(board.name(c))]
    solver = Solver(board, settings)
    for cell in sorted(left, key=lambda c: board.name(c) in solved):
        if not options.share:
            solver.close()
            solver = Solver(board, settings)
        before = time.process_time()
        *_, solution = solver.solve(
            Position.empty(board).play(cell), Limit(seconds=options.seconds)
        )
        row: Row = {
            "opening": board.name(cell),
            "winner": winner_of(solution),
            "seconds": round(solution.seconds, 2),
            "processor_seconds": round(time.process_time() - before, 2),
            "nodes": solution.nodes,
            "table_used": round(solution.table_used, 3),
        }
        write(options.out, row)


# Puzzles


@dataclass(frozen=True)
class Puzzle:
    """A position with its winner, and winning moves that it names; others may exist."""

    name: str
    position: Position
    winner: Color
    winning: frozenset[int]


def all_puzzles() -> Iterator[Puzzle]:
    """Yield the puzzles; the side to move is the colour of the expectation."""
    for entry in json.loads((data_folder() / "puzzles.json").read_text()):
        query, answer = next(iter(entry["expect"].items()))
        color = Color.parse(query.split()[1])
        record = parse_position_argument(entry["sgf"], 1)
        position = record.position(record.main_line()[-1]).with_to_move(color)
        words = answer.strip("[]").split()
        if "find-winning" in query:
            winning = frozenset(position.board.cell(word) for word in words)
            winner = color if winning else color.opponent
        else:
            winning, winner = frozenset(), Color.parse(words[0])
        yield Puzzle(entry["name"], position, winner, winning)


def agrees(puzzle: Puzzle, solution: Solution) -> bool:
    """Return whether nothing that is known contradicts what is expected."""
    if solution.winner is None:
        return True
    return solution.winner is puzzle.winner and not puzzle.winning & solution.losses.keys()


def puzzles(options: argparse.Namespace) -> None:
    """Solve the puzzles and compare with what is expected of them."""
    solved, wrong, count = 0, 0, 0
    for puzzle in all_puzzles():
        board = puzzle.position.board
        solver = Solver(board, SolverSettings(table_bytes=options.memory << 20))
        before, stop = time.process_time(), until(options.seconds)
        *_, found = solver.solve(puzzle.position, stop=stop, all_moves=options.all_moves)
        right = agrees(puzzle, found)
        count, solved, wrong = count + 1, solved + (found.winner is not None), wrong + (not right)
        end = f"{found.winner} wins" if found.winner else "unknown"
        print(
            f"{puzzle.name:20} {'ok' if right else 'WRONG':5} {end:10} {found.nodes:9} nodes "
            f"{time.process_time() - before:8.2f} s",
            flush=True,
        )
        solver.close()
    print(f"{solved} of {count} solved within {options.seconds:g} s each, {wrong} wrong")


# Real games


def sample(size: int, seed: int, step: int) -> list[tuple[str, int, Position]]:
    """Return game, ply and position of every ``step``th ply of the games with an id that 5 divides.

    The plies are counted through all games, from a place drawn by the seed.
    """
    board = Board(size, size)
    plies = []
    for line in (data_folder() / f"human_{board}.jsonl").read_text().splitlines():
        game, position = json.loads(line), Position.empty(board)
        if game["id"] % 5 == 0:
            for ply, word in enumerate(game["moves"].split(), start=1):
                position = position.apply(Move.parse(word, board))
                plies.append((str(game["id"]), ply, position))
    return plies[random.Random(seed).randrange(step) :: step]


def decided(rows: list[Row], others: list[Row], ply: str) -> tuple[list[float], list[str]]:
    """Return whether each ply that both have got a verdict, and its game; ``ply`` numbers it."""
    plies = {(row["game"], row[ply]) for row in others}
    both = [row for row in rows if (row["game"], row[ply]) in plies]
    return [float(row["winner"] is not None) for row in both], [str(row["game"]) for row in both]


def compare(rows: list[Row], others: list[Row], ply: str) -> None:
    """Print how many plies of both files each decided; the interval draws whole games."""
    now, before = decided(rows, others, ply), decided(others, rows, ply)
    print(f"{len(now[0])} plies of both: {sum(now[0]):.0f} decided, {sum(before[0]):.0f} before")
    print(f"more by {difference_of_means(now, before):.3f}")


def games(options: argparse.Namespace) -> None:
    """Solve plies of real games, for a second each, as while somebody looks at them.

    The solver has the memory of the live one, keeps its table from ply to ply, and stops once the
    winner is known. The interval draws whole games.
    """
    done = {(row["game"], row["ply"]) for row in read(options.out)}
    plies = sample(options.size, options.seed, options.step)
    solver = Solver(plies[0][2].board, SolverSettings(TABLE_MB << 20))
    for game, ply, position in plies:
        if (game, ply) not in done:
            before = time.process_time()
            *_, found = solver.solve(position, stop=until(options.seconds))
            seconds, empties = round(time.process_time() - before, 3), len(position.empties)
            row: Row = {"game": game, "ply": ply, "empties": empties, "winner": winner_of(found)}
            write(options.out, {**row, "seconds": seconds})
    solver.close()
    rows = read(options.out)
    verdicts = decided(rows, rows, "ply")
    print(f"{len(rows)} plies with a verdict: {mean_over_games(*verdicts):.3f}")
    if options.against:
        compare(rows, read(options.against), "ply")


# Late positions


@dataclass(frozen=True)
class Game:
    """The positions of a game from its first move to its end, and who won it."""

    name: str
    positions: tuple[Position, ...]
    winner: str


def ended_games(source: Path) -> Iterator[Game]:
    """Yield the resigned games of a file, or those in the folder of a `hextui match`.

    Our own games are played to a chain: they end here where connections first prove the winner.
    """
    if own := source.is_dir():
        size = json.loads((source / "settings.json").read_text())["settings"]["board"]
        rows = [
            {**row, "size": size, "id": row["game"], "end": "chain"}
            for row in csv.DictReader((source / "rows.csv").read_text().splitlines())
        ]
    else:
        rows = [row for row in read(source) if row["end"] == "resign"]
    for row in rows:
        board = Board.parse(str(row["size"]))
        position, positions = Position.empty(board), list[Position]()
        for word in row["moves"].split():
            position = position.apply(Move.parse(word, board))
            positions.append(position)
            if own and verdict(position, *(find_connections(position, c) for c in Color)):
                break
        winner = Color.parse(row["winner"])
        yield Game(str(row["id"]), tuple(positions), str(winner))


def late_plies(options: argparse.Namespace) -> list[tuple[Game, int]]:
    """Return games and for each a number of plies before its end, both drawn by the seed."""
    source, (fewest, most) = data_folder() / options.games, options.plies
    games = [
        game
        for game in ended_games(source)
        if (source.is_dir() or int(game.name) % 2 == options.odd)
        and len(game.positions) > fewest
        and game.name not in options.without
    ]
    rng = random.Random(options.seed)
    drawn = rng.sample(games, min(options.count, len(games)))
    return [(game, rng.randint(fewest, min(most, len(game.positions) - 1))) for game in drawn]


def late(options: argparse.Namespace) -> None:
    """Solve a position of each of some games, some plies before the end, with fresh tables.

    Games with an even number are for tuning, those with an odd one (``--odd``) for reports; all of
    our own games are for tuning. ``--back`` solves each game from the end back, until a winner is
    first not found in time; ``--share`` keeps the table meanwhile. Each thread may take so many
    ``--seconds``. ``--cells``: see `SolverSettings.cell_limits`. ``--against`` compares with what
    another version proved of the same positions.
    """
    drawn = late_plies(options)
    cells = tuple(options.cells) if options.cells else None
    settings = SolverSettings(TABLE_MB << 20, options.threads, cell_limits=cells)
    done = {(row["game"], row["before_end"]): row["winner"] for row in read(options.out)}
    first = drawn[0][0].positions[0]
    *_, _ = Solver(first.board, settings).solve(first, Limit(nodes=1))
    for game, ply in drawn:
        plies = range(len(game.positions)) if options.back else [ply]
        solver = Solver(game.positions[0].board, settings)
        for before_end in plies:
            if (game.name, before_end) not in done:
                if not options.share:
                    solver.close()
                    solver = Solver(game.positions[0].board, settings)
                begun, before = time.perf_counter(), time.process_time()
                stop = until(options.seconds * options.threads)
                *_, found = solver.solve(game.positions[-1 - before_end], stop=stop)
                row: Row = {
                    "game": game.name,
                    "before_end": before_end,
                    "winner": winner_of(found),
                    "won_by": game.winner,
                    "nodes": found.nodes,
                    "seconds": round(time.process_time() - before, 3),
                    "wall": round(time.perf_counter() - begun, 3),
                }
                done[game.name, before_end] = row["winner"]
                write(options.out, row)
            if done[game.name, before_end] is None:
                break
        solver.close()
    if options.against:
        compare(read(options.out), read(options.against), "before_end")


# Many small positions


def wide(options: argparse.Namespace) -> None:
    """Solve 107 positions of 7x7 and 8x8 that take 150 to 4,000 nodes each, with fresh tables.

    Nearly equal moves in another order double the nodes of one opening, or halve them; so changes
    of the solver are judged by sums over many positions. These begin with a random first stone,
    and one to five moves that are drawn by the network's policy.
    """
    from research.training.data import after_moves

    settings = SolverSettings(table_bytes=options.memory << 20)
    nodes, seconds = 0, 0.0
    for side, lines in json.loads(WIDE.read_text()).items():
        board = Board.parse(side)
        for moves in ", ".join(lines).split(", "):
            position = after_moves(board, [Move.parse(word, board) for word in moves.split()])
            search = Search(board, settings)
            search.table.fill(0)
            before = time.process_time()
            search.start(position)
            search.go_on(None, lambda: False)
            took = time.process_time() - before
            print(f"{side} {moves:20} {search.expansions:6} nodes {took:6.2f} s", flush=True)
            nodes, seconds = nodes + search.expansions, seconds + took
            search.close()
    print(f"{nodes} nodes, {seconds:.1f} s of CPU time")


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)

    def command(do: Callable[[argparse.Namespace], None]) -> Callable[..., argparse.Action]:
        made = commands.add_parser(do.__name__, help=(do.__doc__ or "").splitlines()[0])
        made.set_defaults(do=do)
        return made.add_argument

    add = command(openings)
    add("size", type=int)
    add("out", type=Path)
    add("--seconds", type=float, default=600)
    add("--threads", type=int, default=1)
    add("--memory", type=int, default=512, help="MB")
    add("--share", action="store_true", help="keep the table between openings")
    add = command(puzzles)
    add("--seconds", type=float, default=30)
    add("--memory", type=int, default=512, help="MB")
    add("--all-moves", action="store_true")
    add = command(games)
    add("out", type=Path)
    add("--against", type=Path, help="what another version wrote")
    add("--size", type=int, default=11)
    add("--seconds", type=float, default=1)
    add("--seed", type=int, default=0)
    add("--step", type=int, default=8, help="1 takes all plies")
    add = command(late)
    add("games", help="games of people in HEXTUI_TEST_DATA, or the folder of a match")
    add("out", type=Path)
    add("--odd", action="store_true")
    add("--back", action="store_true")
    add("--share", action="store_true")
    add("--count", type=int, default=50)
    add("--seconds", type=float, default=5)
    add("--seed", type=int, default=42)
    add("--threads", type=int, default=1)
    add("--cells", type=int, nargs=3)
    add("--plies", type=int, nargs=2, default=(EARLIEST, LATEST), metavar=("FEWEST", "MOST"))
    add("--without", nargs="*", default=[], metavar="ID", help="games to leave out")
    add("--against", type=Path, help="what another version wrote")
    command(wide)("--memory", type=int, default=256, help="MB")
    options = parser.parse_args()
    options.do(options)


if __name__ == "__main__":
    main()
