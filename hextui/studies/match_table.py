"""The study ``match-table``: E_k against E, and each other, beside the numbers of the paper.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 6.2, tables 1 and 2.
Table 1: E_0, E_1 and E_2, or more, play E, so many games as first player and as many as second; E
against itself is the baseline. Table 2: they play each other, every ordered pair. All play one ply
deep (section 6.1), without the swap rule. As the games of table 2 hardly differ, all players also
play each other after every first move. The rows tell when the win of each game was first proved,
to test section 6.3, by which k matters only after that. Table 1 has Wilson's intervals; those of
the games after every first move draw openings.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from statistics import fmean

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSettings
from hextui.engine.evaluators.k_paths import PAPER_K
from hextui.engine.evaluators.workbench import bench_at
from hextui.engine.position import Position
from hextui.matches.match import MatchGame, ScheduledGame, derived_seed
from hextui.runs.experiment import Experiment
from hextui.runs.intervals import difference, mean_over_games
from hextui.runs.proportions import Interval, proportion
from hextui.runs.reports import Bars, Figure, RunReport, effort
from hextui.runs.results import Document, Row, Table
from hextui.studies.losing_moves import first_stones
from hextui.studies.partings import Parting, Partings, add_partings, partings, positions_to_solve
from hextui.studies.readings import Reading, reading_named
from hextui.text import Names, counted

COLUMNS = (
    *("reading", "table", "first", "second", "game", "opening", "seed"),
    *("winner", "plies", "proved after", "proved for", "moves"),
)


@dataclass(frozen=True)
class Encounter:
    """A game to be played; ``first`` and ``second`` are what the paper calls the players."""

    reading: str
    table: str
    first: str
    second: str
    scheduled: ScheduledGame


@dataclass(frozen=True)
class MatchBounds:
    """How many games are played.

    ``games`` of table 1 for each player and side, ``pair_games`` of table 2 for each pair; both are
    1 where nobody draws lots. ``openings``: how many first moves are drawn, None for every one.
    ``most_k``: the largest k of E_k.
    """

    games: int = 100
    pair_games: int = 100
    openings: int | None = None
    most_k: int = PAPER_K


def experiment(
    readings: Sequence[Reading], board: Board, seed: int, bounds: MatchBounds
) -> Experiment:
    """Return the study of tables 1 and 2, and of the games after every first move."""
    tasks = dict(enumerate(encounters(readings, board, seed, bounds)))
    settings = {
        "size": str(board),
        "readings": [asdict(reading) for reading in readings],
        **asdict(bounds),
        "seed": seed,
    }
    return Experiment(
        study="match-table",
        settings=settings,
        columns=COLUMNS,
        tasks=tasks,
        work=play_encounter,
        report=report,
        cells={board.cells},
    )


def encounters(
    readings: Sequence[Reading], board: Board, seed: int, bounds: MatchBounds
) -> list[Encounter]:
    """Return all games, reading by reading: table 1, table 2, and those of the openings."""
    first_moves = first_stones(board, bounds.openings, seed)
    games_to_play: list[Encounter] = []
    for reading in readings:
        names = {"E": reading.e, **{f"E_{k}": reading.e_k(k) for k in range(bounds.most_k + 1)}}
        for table, first, second, game, opening in _schedule(
            reading, first_moves, bounds, tuple(names)
        ):
            moves = () if opening is None else (board.name(opening),)
            its_seed = derived_seed(seed, reading.name, first, second, *(moves or (game,)))
            scheduled = ScheduledGame(
                board=board,
                black=names[first],
                white=names[second],
                seed=its_seed,
                opening=moves,
                number=game,
                connections=reading.connections,
            )
            games_to_play.append(
                Encounter(
                    reading=reading.name,
                    table=table,
                    first=first,
                    second=second,
                    scheduled=scheduled,
                )
            )
    return games_to_play


def _schedule(
    reading: Reading, first_moves: Sequence[int], bounds: MatchBounds, players: Sequence[str]
) -> Iterator[tuple[str, str, str, int, int | None]]:
    """Yield table, players, number and opening of the games; without lots drawn, one a pairing."""
    pairs = [(FIRST_TABLE, "E", "E")]
    for player in players[1:]:
        pairs += [(FIRST_TABLE, player, "E"), (FIRST_TABLE, "E", player)]
    pairs += [(SECOND_TABLE, a, b) for a, b in product(players[1:], repeat=2)]
    games = {
        FIRST_TABLE: bounds.games if reading.e_draws_lots else 1,
        SECOND_TABLE: bounds.pair_games if reading.e_k_draws_lots else 1,
    }
    for table, first, second in pairs:
        for game in range(1, games[table] + 1):
            yield table, first, second, game, None
    for opening in first_moves:
        for first, second in product(players, repeat=2):
            yield EVERY_OPENING, first, second, 1, opening


def play_encounter(encounter: Encounter) -> list[Row]:
    """Play a game; return its row."""
    scheduled = encounter.scheduled
    game = scheduled.play()
    after, color = first_proof(game, scheduled.connections)
    players = encounter.reading, encounter.table, encounter.first, encounter.second
    number = scheduled.number, " ".join(scheduled.opening), scheduled.seed
    result = _side(game.winner), len(game.moves), after, _side(color), game.text
    return [(*players, *number, *result)]


def _side(color: Color) -> str:
    return "first" if color is Color.BLACK else "second"


def first_proof(game: MatchGame, connections: ConnectionSettings) -> tuple[int, Color]:
    """Return after how many moves a connection first joined a colour's sides, and the colour.

    A full connection, or for the side to move a semi one, proves the win; the chain that ends the
    game is the latest possible proof.
    """
    position = Position.empty(game.board).without_swap
    for number, move in enumerate(game.moves):
        bench = bench_at(position, connections)
        mover = position.to_move
        own = bench.oriented(mover).search
        if own.edges_full or own.edges_semi:
            return number, mover
        if bench.oriented(mover.opponent).search.edges_full:
            return number, mover.opponent
        position = position.apply(move)
    return len(game.moves), game.winner


FIRST_TABLE = "1"
SECOND_TABLE = "2"
EVERY_OPENING = "every opening"
PAPER_SIZE, PAPER_GAMES = "7x7", 100
PAPER_WINS = {"first": (95, 94, 97), "second": (50, 55, 56)}
"""Table 1: wins of E_k by k, as first and as second player."""
PAPER_FIRST_WINS = 0
"""Table 2: how many of the games of E_k against E_k the first player wins."""
BASE, LOWEST = "E", "E_0"
PAPER_PLAYERS = tuple(f"E_{k}" for k in range(PAPER_K + 1))
OTHER = {"first": "second", "second": "first"}


def _against_e(table: Table, side: str, player: str) -> tuple[int, Interval]:
    """Return the number of a player's games in table 1 on a side, and its share of wins."""
    games = table.where(**{"table": FIRST_TABLE, side: player, OTHER[side]: BASE})
    winners = games.column("winner")
    return len(winners), proportion(winners.count(side), len(winners))


def _paper_share(size: str, side: str, player: str) -> Interval | None:
    """Return the share of wins of E_k in table 1 of the paper; None for what it does not have."""
    wins = {f"E_{k}": won for k, won in enumerate(PAPER_WINS[side])}
    if size != PAPER_SIZE or player not in wins:
        return None
    return proportion(wins[player], PAPER_GAMES)


def _partings(table: Table, reading: str, players: Sequence[str]) -> dict[str, Partings]:
    """Return where games of a reading part, by table; nothing where E_k draws lots."""
    if reading_named(reading).e_k_draws_lots:
        return {}
    own = table.where(first=players[1:], second=players[1:])
    return {name: partings(own.where(table=name)) for name in (SECOND_TABLE, EVERY_OPENING)}


def report(table: Table, document: Document, _names: Names) -> RunReport:
    """Return the report; with ``partings.txt``, where games part that were not proved."""
    size = document["settings"]["size"]
    seed = document["settings"]["seed"]
    numbers: Document = {
        "table_1": [],
        "table_2": {},
        "shares_of_table_2": {},
        "openings": {},
        "trends": {},
        "partings": {},
    }
    made = RunReport(f"E_k against E, and against each other, on {size}", numbers)
    made.text(f"{counted(len(table.rows), 'game')}, {effort(document)} Intervals are 95%.")
    players = (BASE, *(f"E_{k}" for k in range(document["settings"].get("most_k", PAPER_K) + 1)))
    names = table.distinct("reading")
    figures = []
    parted: list[Parting] = []
    for name in names:
        if len(names) > 1:
            made.heading(f"Reading {name}: {reading_named(name).choice}")
        rows = table.where(reading=name)
        _add_first_table(made, rows, name, size, players)
        _add_second_table(made, rows, name, players[1:])
        numbers["shares_of_table_2"][name] = _shares_of_second_table(rows, name, seed)
        _add_openings(made, rows, name, players)
        _add_trends(made, rows, name, size, seed, players[: PAPER_K + 2][-1])
        by_table = _partings(rows, name, players)
        numbers["partings"][name] = {which: each.counts() for which, each in by_table.items()}
        add_partings(made, by_table, size)
        parted += [pair for each in by_table.values() for pair in each.parted]
        figures.append(_figure(rows, name, size, players))
    made.pictures(figures)
    if positions := positions_to_solve(parted, size):
        made.files["partings.txt"] = "".join(f"{each}\n" for each in positions)
    return made


def _add_first_table(
    made: RunReport, rows: Table, reading: str, size: str, players: Sequence[str]
) -> None:
    """Add table 1: players' wins against E, ours, the paper's, ours less the paper's (``gap``).

    ``gain``: ours less E's own share; ``agrees``: whether the interval of ``gap`` contains 0. The
    paper's are None where it has no number.
    """
    shown = []
    for side, player in product(OTHER, players):
        games, ours = _against_e(rows, side, player)
        gain = difference(ours, _against_e(rows, side, BASE)[1])
        paper = _paper_share(size, side, player)
        gap = paper and difference(ours, paper)
        agrees = gap and gap.low <= 0 <= gap.high
        made.document["table_1"].append(
            {
                "reading": reading,
                "player": player,
                "side": side,
                "games": games,
                "ours": asdict(ours),
                "gain": asdict(gain),
                "paper": paper and asdict(paper),
                "gap": gap and asdict(gap),
                "agrees": agrees,
            }
        )
        gained = "base line" if player == BASE else f"{gain:+.2f}"
        row = [f"{player} {side}", str(games), f"{ours:.2f}", gained]
        if paper is not None:
            row += [f"{paper:.2f}", f"{gap:+.2f}", "no" if agrees else "yes"]
        elif size == PAPER_SIZE:
            row += ["-", "-", "-"]
        shown.append(row)
    head = ["player", "games", "ours", "ours - E's", "paper", "ours - paper", "differs"]
    made.table(head[: len(shown[0])], shown, "Table 1: share of wins against E")


def _add_second_table(made: RunReport, games: Table, reading: str, players: Sequence[str]) -> None:
    """Add table 2: the first player's share of wins, a row for each first player."""
    own = games.where(table=SECOND_TABLE)
    winner = {0.0: "second", 1.0: "first"}
    shares = []
    rows = []
    for first in players:
        row: list[float | None] = []
        texts = []
        for second in players:
            won = _won(own, first, second)
            share = fmean(won) if won else None
            row.append(share)
            texts.append("-" if share is None else winner.get(share, f"first {share:.2f}"))
        shares.append(row)
        rows.append([f"{first} first", *texts])
    made.document["table_2"][reading] = shares
    head = ["", *(f"{player} second" for player in players)]
    made.table(head, rows, "Table 2: who wins, E_k against E_k")


def _shares_of_second_table(games: Table, reading: str, seed: int) -> Document:
    """Return what the paper says of table 2, k = 0 to 2, as shares; None for what has no games.

    ``first_wins``: of the games. ``part_before_proof``: of the pairs that differ in the k of one
    player; None too where lots are drawn.
    """
    own = games.where(table=SECOND_TABLE, first=PAPER_PLAYERS, second=PAPER_PLAYERS)
    winners = own.column("winner")
    first_wins = proportion(winners.count("first"), len(winners)) if winners else None
    part_before = None
    if not reading_named(reading).e_k_draws_lots:
        part_before = partings(own).share_before_proof(seed)
    return {
        "first_wins": first_wins and asdict(first_wins),
        "part_before_proof": part_before and asdict(part_before),
    }


def _add_openings(made: RunReport, games: Table, reading: str, players: Sequence[str]) -> None:
    """Add how many openings the first player wins, a row for each first player."""
    own = games.where(table=EVERY_OPENING)
    wins = []
    rows = []
    for first in players:
        row = [_won(own, first, second).count(True) for second in players]
        wins.append(row)
        rows.append([f"{first} first", *row])
    made.document["openings"][reading] = wins
    openings = counted(len(own.distinct("opening")), "game")
    made.table(
        ["", *(f"{player} second" for player in players)],
        rows,
        f"Every opening: wins of the first player in {openings}",
    )


def _won(games: Table, first: str, second: str) -> list[bool]:
    """Return for each game of two players whether the first one won."""
    return [won == "first" for won in games.where(first=first, second=second).column("winner")]


def _add_trends(
    made: RunReport, table: Table, reading: str, size: str, seed: int, highest: str
) -> None:
    """Add the trend in k: wins of ``highest``, at most the paper's E_2, less E_0's; the paper's."""
    trends = _trends(table, size, seed, highest)
    made.document["trends"][reading] = [
        {"games": games, "ours": asdict(ours), "paper": paper and asdict(paper)}
        for games, ours, paper in trends
    ]
    rows = []
    for games, ours, paper in trends:
        row = [games, f"{ours:+.2f}", _sign(ours)]
        if size == PAPER_SIZE:
            row.append(f"{paper:+.2f}" if paper else "-")
        rows.append(row)
    head = ["games", "ours", "ours shows", "paper"][: len(rows[0])]
    made.table(head, rows, f"Trend in k: share of wins of {highest} less that of E_0")


def _trends(
    table: Table, size: str, seed: int, highest: str
) -> list[tuple[str, Interval, Interval | None]]:
    """Return by which games each trend in k is measured, ours, and the paper's if it has one."""
    trends: list[tuple[str, Interval, Interval | None]] = []
    for side in OTHER:
        ends = [_against_e(table, side, name)[1] for name in (highest, LOWEST)]
        high, low = (_paper_share(size, side, name) for name in (highest, LOWEST))
        theirs = difference(high, low) if high and low else None
        trends.append((f"against E, {side} player", difference(*ends), theirs))
    for games, opponents in (
        ("against E", (BASE,)),
        (f"{highest} against {LOWEST}", (LOWEST, highest)),
    ):
        values = _by_opening(table, opponents, highest)
        if not values:
            continue
        ours = mean_over_games(list(values.values()), list(values), seed)
        trends.append((f"{games}, every opening, both colours", ours, None))
    return trends


def _by_opening(table: Table, opponents: Sequence[str], highest: str) -> dict[str, float]:
    """Return by opening the share of wins of ``highest`` less E_0's, against these opponents."""
    wins: dict[str, dict[str, list[bool]]] = {}
    for row in table.where(table=EVERY_OPENING).records():
        by_player = wins.setdefault(row["opening"], {highest: [], LOWEST: []})
        for side, other in OTHER.items():
            player = row[side]
            opponent = row[other]
            if player in by_player and opponent in opponents and opponent != player:
                by_player[player].append(row["winner"] == side)
    played = {opening: by for opening, by in wins.items() if all(by.values())}
    return {o: fmean(by[highest]) - fmean(by[LOWEST]) for o, by in played.items()}


def _sign(interval: Interval) -> str:
    if interval.low <= 0 <= interval.high:
        return "not sure"
    return "more with k" if interval.value > 0 else "less with k"


def _figure(table: Table, reading: str, size: str, players: Sequence[str]) -> Figure:
    """Return table 1 as bars, ours beside the paper's."""
    own = list(product(OTHER, players[1:]))
    places = [f"{player} {side}" for side, player in own]
    papers = [paper for each in own if (paper := _paper_share(size, *each))]
    series = {
        "ours": [_against_e(table, side, player)[1] for side, player in own],
        "paper": papers if len(papers) == len(own) else [],
        "E against E": [_against_e(table, side, BASE)[1] for side, _ in own],
    }
    bars = tuple(Bars(label, places, intervals) for label, intervals in series.items() if intervals)
    title = f"E_k against E, share of wins, reading {reading}"
    return Figure(
        name=f"table-1-{reading}",
        title=title,
        x_label="",
        y_label="wins of E_k",
        bars=bars,
        y_range=(0, 1.05),
    )
