"""The study ``losing-moves``: where an evaluator loses games that it could have won.

Goes beyond Honjo et al. 2010 (https://hdl.handle.net/2115/51049), whose section 7 leaves it to
future work. An evaluator plays one ply deep against another player. In each game that it loses,
the solver goes back from the end as far as it can prove the winner. The study keeps the first move
there by which the evaluator lost a won position, with a move that would have won.
"""

import random
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from hextui.engine.board import Board, Color
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import bench_at
from hextui.engine.limit import Limit
from hextui.engine.position import Move
from hextui.engine.solver.dfpn import Solver
from hextui.matches.match import SOLVER_SETTINGS, MatchGame, ScheduledGame, derived_seed
from hextui.records.codecs.hexworld import HexWorld
from hextui.records.codecs.sgf import write_sgf
from hextui.records.record import Record
from hextui.runs.experiment import Experiment
from hextui.runs.proportions import proportion
from hextui.runs.reports import RunReport, effort
from hextui.runs.results import Document, Row, Table
from hextui.text import Names, counted

COLUMNS = (
    *("opening", "player", "winner", "plies", "moves"),
    *("known_from", "ply", "move", "better", "better_rank", "candidates"),
)


@dataclass(frozen=True)
class Loss:
    """What the solver proved about a lost game; plies count from 1, 0 is none.

    ``known_from``: from before this ply on the winner of each position is proved. At ``ply`` the
    loser made ``move`` in a position that ``better`` wins.
    """

    known_from: int
    ply: int = 0
    move: int | None = None
    better: int | None = None


def experiment(
    name: str, other: str, board: Board, limit: int | None, nodes: int, seed: int
) -> Experiment:
    """Return the study of an evaluator against a player, from all first stones or ``limit``."""
    cells = first_stones(board, limit, seed)
    tasks = dict(enumerate(schedule((name, other), board, cells, seed)))
    settings = {
        "size": str(board),
        "player": name,
        "other": other,
        "openings": [board.name(cell) for cell in cells],
        "nodes": nodes,
        "seed": seed,
    }
    work = partial(try_game, name, nodes)
    return Experiment(
        study="losing-moves",
        settings=settings,
        columns=COLUMNS,
        tasks=tasks,
        work=work,
        report=report,
        cells={board.cells},
    )


def first_stones(board: Board, limit: int | None, seed: int) -> list[int]:
    """Return the cells of the first stones: all of them, or so many drawn by the seed."""
    count = board.cells if limit is None else min(limit, board.cells)
    return sorted(random.Random(seed).sample(range(board.cells), count))


def schedule(
    players: tuple[str, str], board: Board, cells: Sequence[int], seed: int
) -> list[ScheduledGame]:
    """Return the games of two players: each first stone in turn, with both colours."""
    return [
        ScheduledGame(
            board=board,
            black=black,
            white=white,
            seed=derived_seed(seed, black, white, cell),
            opening=(board.name(cell),),
        )
        for cell in cells
        for black, white in (players, players[::-1])
    ]


def try_game(name: str, nodes: int, scheduled: ScheduledGame) -> list[Row]:
    """Play a game and look for the losing move of the evaluator ``name``; return its row.

    ``nodes``: those that the solver may expand per ply.
    """
    board = scheduled.board
    game = scheduled.play()
    color = Color.BLACK if scheduled.black == name else Color.WHITE
    loss = Loss(0) if game.winner is color else find_loss(game, color, nodes)
    move = "" if loss.move is None else board.name(loss.move)
    better = ""
    rank = 0
    candidates = 0
    if loss.better is not None:
        better = board.name(loss.better)
        bench = bench_at(game.positions()[loss.ply - 1].without_swap)
        *_, ranking = evaluator(name).rank(bench)
        rank = ranking.by_cell[loss.better].rank
        candidates = len(ranking.moves)
    played: Row = (str(color), str(game.winner), len(game.moves), game.text)
    return [
        (*scheduled.opening, *played, loss.known_from, loss.ply, move, better, rank, candidates)
    ]


def find_loss(game: MatchGame, loser: Color, nodes: int) -> Loss:
    """Search a lost game backwards from its end; ``nodes``: the solver's limit per ply."""
    positions = game.positions()
    winner = game.winner
    loss = Loss(len(game.moves))
    with closing(Solver(game.board, SOLVER_SETTINGS)) as solver:
        for place in reversed(range(len(game.moves))):
            position = positions[place]
            after = winner
            better: int | None = game.moves[place].cell
            if after is not position.to_move:
                *_, solution = solver.solve(position, Limit(nodes=nodes))
                if solution.winner is None:
                    break
                winner = solution.winner
                better = next(iter(solution.wins), None)
            if place >= game.opening and winner is loser and after is not loser:
                loss = Loss(place + 1, place + 1, game.moves[place].cell, better)
            else:
                loss = replace(loss, known_from=place + 1)
    return loss


def summary(table: Table) -> dict[str, int]:
    """Return how many games were played, lost, and of these won before, lost at first, unknown."""
    lost = [row for row in table.records() if row["winner"] != row["player"]]
    thrown = sum(int(row["ply"]) > 0 for row in lost)
    hopeless = sum(int(row["ply"]) == 0 and int(row["known_from"]) <= 2 for row in lost)
    unknown = len(lost) - thrown - hopeless
    counts = (len(table.rows), len(lost), thrown, hopeless, unknown)
    return dict(zip(("games", "lost", "thrown", "hopeless", "unknown"), counts, strict=True))


def report(table: Table, document: Document, names: Names) -> RunReport:
    """Return the report, each position with a link and a diagram, and ``losing-moves.sgf``."""
    settings = document["settings"]
    counts = summary(table)
    games = counts["games"]
    lost = counts["lost"]
    player = settings["player"]
    other = settings["other"]
    thrown = [row for row in table.records() if int(row["ply"])]
    records = [_before_the_loss(row, Board.parse(settings["size"])) for row in thrown]
    mistakes = [
        {
            "link": HexWorld().write(record),
            "to_move": row["player"],
            "move": row["move"],
            "better": row["better"],
            "rank": int(row["better_rank"]),
            "candidates": int(row["candidates"]),
        }
        for row, record in zip(thrown, records, strict=True)
    ]
    title = f"Where {player} loses against {other} on {settings['size']}"
    made = RunReport(title, {"summary": counts, "mistakes": mistakes})
    share = f"{proportion(games - lost, games):.3f}"
    made.text(
        f"{counted(games, 'game')}, every first stone with both colours; won {share} "
        f"(95% interval, Wilson). {effort(document)}"
    )
    made.text(
        f"Of {counted(lost, 'lost game')}, {counts['thrown']} were won before a losing move that "
        f"the solver proved ({settings['nodes']} positions a ply at most), {counts['hopeless']} "
        f"were lost from the first stone on, of {counts['unknown']} it is not known."
    )
    if thrown:
        ranks = sorted(int(row["better_rank"]) for row in thrown)
        made.text(
            "The first proved losing move of each. The rank is the evaluator's of the winning "
            f"move that the solver found, of all legal moves; median {ranks[len(ranks) // 2]}. "
            "Other moves may win too. All positions: losing-moves.sgf."
        )
        rows = []
        for number, (row, mistake) in enumerate(zip(thrown, mistakes, strict=True), start=1):
            place = f"{mistake['rank']} of {mistake['candidates']}"
            moves = row["ply"], row["move"], row["better"]
            rows.append([number, names.player(row["player"]), *moves, place, mistake["link"]])
        made.table(["", "to move", "ply", "played", "wins", "its rank", "position"], rows)
    positions = []
    for number, (row, record) in enumerate(zip(thrown, records, strict=True), start=1):
        end = record.root.end()
        wins = f"{names.player(row['player'])} to move: {row['better']} wins"
        made.heading(f"Position {number}: {wins}, {row['move']} was played")
        made.text(f"```\n{record.position(end)}\n```")
        record.set_comment(end, f"{wins}, {row['move']} loses")
        positions.append(write_sgf(record))
    made.files["losing-moves.sgf"] = "".join(positions)
    return made


def _before_the_loss(row: Mapping[str, str], board: Board) -> Record:
    """Return the game of a row up to its losing move."""
    moves = row["moves"].split()[: int(row["ply"]) - 1]
    return Record.of_moves(board, [Move.parse(name, board) for name in moves])
