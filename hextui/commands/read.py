"""``hextui read``: a game as sentences, one at each key, for screen readers and braille.

Keys come in lines of standard input, and nothing is drawn or overwritten.
"""

import argparse
from bisect import bisect_right
from collections.abc import Callable, Iterator

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition
from hextui.analysis.game_story import story_facts
from hextui.analysis.mistakes import ReviewEntry, game_summary, review_entries
from hextui.analysis.stored_analysis import ReviewStore, stored_estimates
from hextui.analysis.whole_game import analyse_game
from hextui.commands.arguments import POSITION_HELP, Parser, UsageError
from hextui.commands.documents import chosen_game, compile_first
from hextui.commands.output import say
from hextui.commands.report import analyse
from hextui.commands.report_games import close_reviews
from hextui.engine.board import Color
from hextui.engine.search.lines import DEFAULT_SEARCH
from hextui.engine.widths import Kernels
from hextui.engines.limits import GAME_SECONDS, cores
from hextui.records.formats import standard_input_lines
from hextui.records.record import Record
from hextui.text import Names, counted
from hextui.words.reviews import entry_move, entry_words
from hextui.words.story import plain_text, story_text
from hextui.words.verdicts import Preference, Situation, here_ways

SECONDS = 1.0
"""The solver's CPU time for a position."""
_LONGEST_KEY = 1 << 20  # bytes of a line


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    parser.value("record", "GAME", POSITION_HELP)
    parser.shared("--game", "--ply", "--size", "--encoding")


def run(options: argparse.Namespace) -> int:
    """Answer keys until the last one; return the exit code."""
    if options.record == "-":
        raise UsageError("the keys come from standard input: name a file for the game")
    record = chosen_game(options.record, options.game, options.size, charset=options.encoding)
    reader = GameReader(record, options.names)
    if options.ply is not None:
        reader.go_to(options.ply)
    say(reader.introduction())
    say(reader.here())
    for line in standard_input_lines(_LONGEST_KEY):
        key = str(line).strip()
        if key == "q":
            break
        say(reader.answer(key))
    reader.close()
    return 0


class GameReader:
    """Says where a game stands: it has a present position, which keys change."""

    def __init__(self, record: Record, names: Names) -> None:
        self._record = record
        self._names = names
        self._line, self._estimates = stored_estimates(record)
        self._store = ReviewStore()
        self._store.read(self._line, self._estimates)
        self._place = 0
        self._mistake = -1
        self._keys: dict[str, tuple[str, Callable[[], str]]] = {
            "n": ("next ply, as an empty line", self._next),
            "p": ("ply before", self._before),
            "b": ("the stones of each row", self._board),
            "h": ("this position once more", self.here),
            "d": ("the worst mistake, then the next worst", self._next_mistake),
            "s": ("the story of the game, after a review", self._story),
            "?": ("these keys", self._help),
        }

    def introduction(self) -> str:
        """Return who played, on what board, how many plies, and how it ended."""
        record = self._record
        players = [
            f"{record.player(color) or 'unknown'}, {self._names.player(color)}" for color in Color
        ]
        ended = self._names.result(record.result.winner, record.result.how)
        board = f"{record.board}, {counted(record.plies, 'move')}"
        return f"{' against '.join(players)}. {board}. {ended or 'No result'}. ? lists the keys."

    def answer(self, key: str) -> str:
        """Return what is said after a key, or the number of a ply."""
        if key.isdecimal() and key.isascii():
            self.go_to(int(key[:9]))
            return self.here()
        name = key or "n"
        if name not in self._keys:
            return f"{name[:40]} is no key here. ? lists the keys."
        return self._keys[name][1]()

    def go_to(self, ply: int) -> None:
        """Go to the position after so many plies, or the last one."""
        plies = [game_position.ply for game_position in self._line]
        self._place = bisect_right(plies, max(ply, plies[0])) - 1

    def here(self) -> str:
        """Return the sentence about the present position."""
        game_position = self._line[self._place]
        if game_position.position.winner is None:
            self._look_at(game_position)
        said = here_ways(self._situation(game_position))[0]
        return f"{self._last_move(game_position)} {plain_text(said)}"

    def _look_at(self, game_position: GamePosition) -> None:
        """Search a position, and try to solve it, unless that is done."""
        compile_first(game_position.position.board, *Kernels)
        names = (DEFAULT_SEARCH,)
        for _ in analyse_game([game_position], names, self._estimates, cores(), SECONDS):
            pass

    def close(self) -> None:
        """Close the reviews on disk."""
        close_reviews(self._store)

    def _last_move(self, game_position: GamePosition) -> str:
        turn = game_position.node.turn
        mover = self._names.player(game_position.position.to_move)
        next_side = "" if game_position.position.winner is not None else f" {mover} to move."
        if turn is None:
            return f"Start.{next_side}"
        played = f"{self._names.player(turn.color)} {turn.name(self._record.board)}"
        return f"Ply {game_position.ply} of {self._record.plies}, {played}.{next_side}"

    def _situation(self, game_position: GamePosition) -> Situation:
        position, verdicts = game_position.position, self._estimates.verdicts
        moves = verdicts.moves(position)
        following = game_position.next_node
        return Situation(
            position=position,
            verdict=verdicts.of(position),
            moves=moves,
            wins=tuple(moves.wins),
            claims=self._estimates.claims(position),
            judged=_judged(game_position, self._estimates),
            played=following.turn if following else None,
            ply=game_position.ply + 1,
            names=self._names,
        )

    def _next(self) -> str:
        if self._place + 1 == len(self._line):
            return "This is the last ply."
        self._place += 1
        return self.here()

    def _before(self) -> str:
        if self._place == 0:
            return "This is the start."
        self._place -= 1
        return self.here()

    def _board(self) -> str:
        return "\n".join(self._rows()) or "No stones."

    def _rows(self) -> Iterator[str]:
        """Yield the stones of each row that has any."""
        position = self._line[self._place].position
        board = position.board
        for row in range(board.rows):
            cells = range(row * board.columns, (row + 1) * board.columns)
            stones = [
                f"{self._names.player(Color(position.stones[cell]))} {board.name(cell)}"
                for cell in cells
                if position.stones[cell]
            ]
            if stones:
                yield f"Row {row + 1}: {', '.join(stones)}."

    def _review(self) -> tuple[ReviewEntry, ...]:
        """Review the game, unless that is on disk, and return its mistakes, the worst first."""
        names = (DEFAULT_SEARCH,)
        analyse(self._line, self._estimates, names, GAME_SECONDS, self._store)
        return review_entries(self._line, self._estimates, DEFAULT_SEARCH)

    def _next_mistake(self) -> str:
        entries = self._review()
        if not entries:
            return "No mistake was found."
        self._mistake = (self._mistake + 1) % len(entries)
        entry = entries[self._mistake]
        self._place = self._line.index(entry.before)
        what = entry_words(entry, self._names)[0]
        count = f"Mistake {self._mistake + 1} of {len(entries)}"
        return f"{count}: {entry_move(entry)}: {what}.\n{self.here()}"

    def _story(self) -> str:
        self._review()
        summary = game_summary(self._line, self._estimates, GAME_SECONDS)
        facts = story_facts(self._line, summary)
        return story_text(facts, summary, self._record.result, self._names) or "Nothing is proved."

    def _help(self) -> str:
        keys = [f"{key}: {text}." for key, (text, _) in self._keys.items()]
        return "\n".join([*keys, "A number: that ply.", "q: end.", "Enter after each."])


def _judged(game_position: GamePosition, estimates: Estimates) -> Preference | None:
    """Return what the search prefers, if it was asked."""
    estimate = estimates.of(game_position, DEFAULT_SEARCH)
    if estimate is None or not estimate.best or estimate.winrate is None:
        return None
    swap = 1 - estimate.winrate if game_position.position.swap_legal else None
    return Preference(DEFAULT_SEARCH, estimate.best[0], estimate.winrate, swap=swap)
