"""Read tables of games, ``.csv`` and ``.tsv``, with named columns: ``size,moves,red,blue``.

A column holds the moves, as a list of names, or the game as SGF. The names of all columns are those
that games in JSON have. Without a column for the size each board is the smallest usual one.
"""

import csv
import re
from collections.abc import Iterator
from io import StringIO

from hextui.records.codecs.codec import Codec, FileText, Flaws, GameText, split_lines
from hextui.records.codecs.json_games import JsonGames, gives_size, is_game
from hextui.records.codecs.plain import usual_board
from hextui.records.record_text import Place, RecordError, json_text

_SEPARATOR = re.compile(r"[,;\t]")


class Tables(JsonGames):
    """Tables with named columns, which are only read."""

    name = "csv"
    suffixes = (".csv", ".tsv")
    writes = False
    site = None

    def detects(self, head: str) -> bool:
        names = _names(split_lines(head, 1)[0])
        return len(names) > 1 and is_game(names)

    def recognizes(self, word: str, bare: bool = False) -> bool:
        return False

    write = Codec.write
    difference = Codec.difference

    def split(self, file: FileText) -> Iterator[GameText]:
        decoded = file.decoded(file.text)
        head = split_lines(file.head, 1)[0]
        separator = _SEPARATOR.search(head)
        assert separator
        names = _names(head)
        sized = gives_size(_names(head))
        number = 1 + file.text.count("\n", 0, file.text.find(file.head))  # the line of the names
        lines = StringIO(decoded.text, newline="")
        for _ in range(number):
            lines.readline()
        rows = csv.reader(lines, delimiter=separator[0])
        line = number
        try:
            for row in rows:
                filled = {n: text for n, text in zip(names, row, strict=False) if text.strip()}
                if filled:
                    flaws = Flaws()
                    board = file.board
                    if not (sized or board):
                        board = usual_board(row)
                        guess = f"{board} fits every move (--size N sets it)"
                        flaws.guesses.append(f"no board size is given: {guess}")
                    yield GameText(
                        self,
                        text=json_text(filled),
                        start=Place(line + 1, 1),
                        board=board,
                        notes=decoded.notes,
                        strict=file.strict,
                        as_hex=file.as_hex,
                        flaws=flaws,
                        charset=decoded.guessed,
                    )
                line = number + rows.line_num
        except csv.Error as error:
            raise RecordError(f"this is not a table: {error}", line + 1) from None


def _names(head: str) -> list[str]:
    return [name.strip(" \"'") for name in _SEPARATOR.split(head)]
