"""What the rows of a match say: shares of wins with intervals, and its games as SGF."""

from dataclasses import asdict, dataclass

from hextui.engine.board import Board, Color
from hextui.engine.position import Move
from hextui.matches.intervals import Interval, proportion
from hextui.matches.match import MatchGame
from hextui.matches.reports import Reporting, escape_markdown, markdown_table
from hextui.matches.results import Document, Table
from hextui.records.codecs.sgf import write_sgf
from hextui.records.record import Record
from hextui.records.text import escape
from hextui.words.names import Names, counted


@dataclass(frozen=True)
class Score:
    """``share`` of ``games`` that were won, with its 95 % interval (Wilson)."""

    games: int
    wins: int
    share: Interval


@dataclass(frozen=True)
class MatchResult:
    """The first player's wins in all games, as Black and as White, and Black's wins.

    ``distinct``: how many games differ in their moves. Where it is much smaller than the number
    of games, games are repeated, not independent, and the intervals are too narrow.
    """

    first: str
    second: str
    distinct: int
    overall: Score
    as_black: Score
    as_white: Score
    black: Score


def result(table: Table, settings: Document) -> MatchResult:
    """Return the result of a match from its rows and its settings."""
    first, winner = table.column("first"), table.column("winner")
    pairs = list(zip(first, winner, strict=True))
    return MatchResult(
        settings["first"],
        settings["second"],
        len(set(table.column("moves"))),
        _score([own == won for own, won in pairs]),
        _score([won == "black" for own, won in pairs if own == "black"]),
        _score([won == "white" for own, won in pairs if own == "white"]),
        _score([won == "black" for won in winner]),
    )


def _score(wins: list[bool]) -> Score:
    return Score(len(wins), sum(wins), proportion(sum(wins), len(wins)))


def document(found: MatchResult) -> Document:
    """Return the result as JSON; a share of no games is null."""
    whole = asdict(found)
    for name in ("overall", "as_black", "as_white", "black"):
        score = whole[name]
        share = score.pop("share")
        score |= share if score["games"] else {"value": None, "low": None, "high": None}
    return whole


def report(found: MatchResult, settings: Document, names: Names) -> str:
    """Return the report of a match as Markdown."""
    swap = ", swap rule" if settings["swap"] else ""
    openings = len(settings["openings"])
    first, second = names.both
    opened = "" if settings["openings"] == [""] else f", {counted(openings, 'opening')}"
    rows = [
        [who, str(score.games), str(score.wins), f"{score.share:.3f}" if score.games else "-"]
        for who, score in (
            (found.first, found.overall),
            (f"{found.first} as {first}", found.as_black),
            (f"{found.first} as {second}", found.as_white),
            (first, found.black),
        )
    ]
    lines = [
        f"# {escape_markdown(found.first)} against {escape_markdown(found.second)}",
        "",
        f"{settings['board']} board, {counted(found.overall.games, 'game')}{opened}{swap}, "
        f"seed {settings['seed']}{_terms(settings)}. "
        "Share of wins with its 95 % interval (Wilson).",
        "",
        markdown_table(["who", "games", "won", "share"], rows),
        "",
    ]
    if found.distinct < found.overall.games:
        lines += [
            f"Only {found.distinct} of the games differ: the intervals, which take games as "
            "independent, are too narrow.",
            "",
        ]
    return "\n".join(lines)


def _terms(settings: Document) -> str:
    """Return in words what a move might take and how games ended, after a comma; '' if freely."""
    terms = settings.get("terms", {})
    told = []
    if terms.get("seconds") is not None:
        told.append(f"{terms['seconds']:g} s a move")
    if terms.get("visits") is not None:
        told.append(f"{counted(terms['visits'], 'visit')} a move of another engine")
    if terms.get("resign_nodes"):
        told.append(f"losses proved with {counted(terms['resign_nodes'], 'node')} resigned")
    return "".join(f", {text}" for text in told)


def games(table: Table, board: Board) -> list[MatchGame]:
    """Return the games of a match's rows."""
    return [
        MatchGame(
            board,
            row["black"],
            row["white"],
            int(row["seed"]),
            len(row["opening"].split()),
            tuple(Move.parse(name, board) for name in row["moves"].split()),
            Color.parse(row["winner"]),
        )
        for row in (dict(zip(table.columns, row, strict=True)) for row in table.rows)
    ]


def record_of(game: MatchGame) -> Record:
    """Return a game as a record, with players, winner and opening."""
    record = Record.of_moves(game.board, game.moves)
    opening = " ".join(move.name(game.board) for move in game.moves[: game.opening])
    about = {
        "PB": game.black,
        "PW": game.white,
        "RE": "B+" if game.winner is Color.BLACK else "W+",
        **({"ON": opening} if opening else {}),
    }
    record.add_properties(record.root, {name: (escape(text),) for name, text in about.items()})
    return record


def sgf(table: Table, settings: Document) -> str:
    """Return all games of a match as one SGF collection."""
    columns, _, rows = settings["board"].partition("x")
    board = Board(int(rows), int(columns))
    return "".join(write_sgf(record_of(game)) for game in games(table, board))


def reporting(names: Names) -> Reporting:
    """Return how a match is reported, with what the players of a game are called."""
    return Reporting(
        lambda table, settings: [],
        lambda table, settings, drawn: report(
            result(table, settings["settings"]), settings["settings"], names
        ),
        lambda table, settings: document(result(table, settings["settings"])),
        lambda table, settings: {"games.sgf": sgf(table, settings["settings"])},
    )
