"""Only what differs is written to the terminal, and then it shows what it should."""

import random
import re

import pytest
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.strip import Strip

from hextui.ui.written_cells import LinePiece, WrittenCells

from .helpers import analysing, game, press, ranking, settle, tell
from .test_painting import differences, until_so

KEYS = "n l n ! s enter tab z z ? escape t t home"
SEQUENCE = re.compile(r"\x1b\[(\d+);(\d+)H|\x1b\[([\d;]*)m|(\n)|([^\x1b\n])")
TEXTS = ["a", "bc", "  ", "()", "long words", "漢", "漢字", ""]
STYLES = [None, Style(color="red"), Style(bgcolor="blue", bold=True)]


class Terminal:
    """Shows what is written to it: the character and the look of each cell."""

    def __init__(self):
        self.cells = {}
        self.signs = 0

    def take(self, text):
        look, y, x, end = "", 0, 0, 0
        for found in SEQUENCE.finditer(text):
            assert found.start() == end, repr(text[end : end + 20])
            end = found.end()
            row, column, codes, _, sign = found.groups()
            if row:
                y, x = int(row) - 1, int(column) - 1
            elif codes is not None:
                look = "" if codes == "0" else codes
            elif sign:
                self.signs += 1
                for n in range(cell_len(sign)):
                    self.cells[y, x + n] = (sign if n == 0 else "", look)
                x += cell_len(sign)
        assert end == len(text)

    def lines(self, width, height):
        return [[self.cells[y, x] for x in range(width)] for y in range(height)]


def rendered(segment, colors=ColorSystem.TRUECOLOR):
    if segment.style is None:
        return segment.text
    return Strip.render_style(segment.style, segment.text, colors)


def shown(strips, colors=ColorSystem.TRUECOLOR):
    """Return what a terminal shows of these strips, one a line."""
    terminal = Terminal()
    for y, strip in enumerate(strips):
        text = "".join(rendered(segment, colors) for segment in strip)
        terminal.take(f"\x1b[{y + 1};1H{text}")
    return terminal.lines(strips[0].cell_length, len(strips))


def random_strip(lot, width):
    segments = []
    while width:
        text = lot.choice([text for text in TEXTS if cell_len(text) <= width])
        segments.append(Segment(text, lot.choice(STYLES)))
        width -= cell_len(text)
    return Strip(segments)


@pytest.mark.parametrize("seed", range(20))
def test_the_terminal_shows_what_it_was_asked_to(seed):
    lot = random.Random(seed)
    terminal, written, wanted = Terminal(), WrittenCells(), {}
    for _ in range(60):
        pieces, x = [], lot.randrange(4)
        while x < 20:
            strip = random_strip(lot, lot.randint(1, 20 - x))
            pieces.append(LinePiece(0, x, strip))
            x += strip.cell_length + lot.randrange(4)
        terminal.take(written.write(pieces, rendered))
        for piece in pieces:
            for n, cell in enumerate(shown([piece.strip])[0]):
                wanted[0, piece.x + n] = cell
        halves = {place for place in wanted if half_of_a_sign(wanted, place)}
        assert all(terminal.cells[at] == wanted[at] for at in wanted.keys() - halves)


def half_of_a_sign(cells, place):
    """Tell whether the other half of a broad sign was written over: each terminal has its way."""
    y, x = place
    sign, _ = cells[place]
    if sign == "":
        return cell_len(cells.get((y, x - 1), (" ", ""))[0]) < 2
    return cell_len(sign) == 2 and cells.get((y, x + 1), (" ", ""))[0] != ""


def test_what_is_there_is_not_written_again():
    written = WrittenCells()
    line = Strip([Segment("one "), Segment("two ", Style(bold=True)), Segment("three")])
    other = Strip([Segment("one "), Segment("ten ", Style(bold=True)), Segment("three")])
    assert "one two three" in re.sub(
        "\x1b.*?[mH]", "", written.write([LinePiece(3, 2, line)], rendered)
    )
    assert written.write([LinePiece(3, 2, line)], rendered) == ""
    assert re.sub("\x1b.*?[mH]", "", written.write([LinePiece(3, 2, other)], rendered)) == "ten "
    written.forget()
    assert "one ten three" in re.sub(
        "\x1b.*?[mH]", "", written.write([LinePiece(3, 2, other)], rendered)
    )


@pytest.fixture
def terminal(monkeypatch):
    """The terminal that the app writes to."""
    terminal = Terminal()

    def take(app, screen, update):
        if update is not None:
            terminal.take(update.render_segments(app.console))

    monkeypatch.setattr(App, "_display", take)
    return terminal


def told_apart(terminal, app):
    """Return what a painting of everything would change."""
    strips = app.screen._compositor.render_strips()
    return differences(terminal.lines(*app.size), shown(strips, app.console._color_system))


async def test_it_shows_what_a_painting_of_everything_would(terminal):
    session = game("c3", "d2", "b4", "a1", side=6)
    async with analysing(session, (100, 30)) as (pilot, analyst):
        for key in KEYS.split():
            await press(pilot, key)
            if key == "n":
                ranked = ranking("one", session.position, ["a6", "b6"])
                await tell(pilot, analyst, rankings={"one": ranked})
            await settle(pilot)
            await until_so(lambda: not told_apart(terminal, pilot.app))
            assert not told_apart(terminal, pilot.app), key


async def test_nothing_is_known_after_all_was_written_at_once(terminal):
    async with analysing(game("c3", "d2", side=6), (100, 30)) as (pilot, _):
        app, main = pilot.app, pilot.app.main
        await settle(pilot)
        for cell in (20, 21, 20):
            main.desk.session.cursor = cell
            if cell == 21:
                main._compositor._dirty_regions.add(main.region)
            main.desk.show_cursor()
        assert not told_apart(terminal, app)


async def test_a_step_writes_little(terminal):
    async with analysing(game("c3", "d2", "b4", "a1", side=6), (140, 45)) as (pilot, _):
        main = pilot.app.main
        await settle(pilot)
        main.desk.session.cursor += 1
        main.desk.show_cursor()
        before = terminal.signs
        main.desk.session.cursor += 1
        main.desk.show_cursor()
        assert 0 < terminal.signs - before < 140 * 45 / 20
