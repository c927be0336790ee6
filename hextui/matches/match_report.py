"""The report on a match: shares of wins with intervals, and the games as SGF."""

from dataclasses import asdict, dataclass

from hextui.engine.board import Board, Color
from hextui.engine.position import Move
from hextui.matches.intervals import Interval, proportion
from hextui.matches.match import MatchGame
from hextui.matches.reports import RunReport
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

    ``distinct`` games differ in their moves; if they are far fewer, the intervals are too narrow.
    """

    first: str
    second: str
    distinct: int
    overall: Score
    as_black: Score
    as_white: Score
    black: Score

    def document(self) -> Document:
        """Return the result as JSON; a share of no games is null."""
        found = asdict(self)
        for name in ("overall", "as_black", "as_white", "black"):
            share = found[name].pop("share")
            played = found[name]["games"]
            found[name] |= share if played else dict.fromkeys(("value", "low", "high"))
        return found


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


def report(table: Table, document: Document, names: Names) -> RunReport:
    """Return the report on a match, with ``games.sgf``."""
    settings = document["settings"]
    found = result(table, settings)
    made = RunReport(f"{found.first} against {found.second}", found.document())
    opened = settings["openings"] != [""]
    conditions = [
        f"{settings['board']} board",
        counted(found.overall.games, "game"),
        *([counted(len(settings["openings"]), "opening")] if opened else []),
        *(["swap rule"] if settings["swap"] else []),
        f"seed {settings['seed']}",
        *_terms(settings.get("terms", {})),
    ]
    made.text(f"{', '.join(conditions)}. Share of wins with its 95 % interval (Wilson).")
    first, second = names.both
    rows = [
        [who, str(score.games), str(score.wins), f"{score.share:.3f}" if score.games else "-"]
        for who, score in (
            (found.first, found.overall),
            (f"{found.first} as {first}", found.as_black),
            (f"{found.first} as {second}", found.as_white),
            (first, found.black),
        )
    ]
    made.table(["who", "games", "won", "share"], rows)
    if found.distinct < found.overall.games:
        made.text(
            f"Only {found.distinct} of the games differ: the intervals, which take games as "
            "independent, are too narrow."
        )
    games = _games(table, Board.parse(settings["board"]))
    made.files["games.sgf"] = "".join(write_sgf(record_of(game)) for game in games)
    return made


def _terms(terms: Document) -> list[str]:
    """Return the limits of moves, and how games ended, in words."""
    found = []
    if terms.get("seconds") is not None:
        found.append(f"{terms['seconds']:g} s a move")
    if terms.get("visits") is not None:
        found.append(f"{counted(terms['visits'], 'visit')} a move of another engine")
    if terms.get("resign_nodes"):
        found.append(f"losses proved with {counted(terms['resign_nodes'], 'node')} resigned")
    return found


def _games(table: Table, board: Board) -> list[MatchGame]:
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
        for row in table.records()
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
    record.root.properties.update({name: (escape(text),) for name, text in about.items()})
    return record
