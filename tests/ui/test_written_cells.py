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

from hextui.ui.pen import Pen
from hextui.ui.written_cells import LinePiece, WrittenCells

from .helpers import analysing, game, press, ranking, settle, tell
from .test_painting import differences, until_so

KEYS = "n l n ! s enter tab z z ? escape t t home"
SEQUENCE = re.compile(r"\x1b\[(\d+);(\d+)H|\x1b\[([\d;]*)m|(\n)|([^\x1b\n])")
TEXTS = ["a", "bc", "  ", "()", "long words", "漢", "漢字", ""]
STYLES = [
    None,
    Style(color="red"),
    Style(color="#102030", bgcolor="bright_blue", bold=True),
    Style(color="color(77)", bgcolor="blue", bold=False),
    Style(reverse=True, underline=True),
    Style(dim=True, bgcolor="#102030"),
]


class Terminal:
    """Shows what is written to it: the character of each cell and what can be seen of its look."""

    def __init__(self):
        self.cells = {}
        self.signs = 0
        self.attributes: set[str] = set()
        self.colors: dict[str, list[str]] = {"38": [], "48": []}

    def look(self, *codes: str) -> None:
        """Change the look as these codes say; without any it is plain again."""
        left = list(codes or ["0"])
        while left:
            code = left.pop(0)
            if code in ("38", "48"):
                color = [code, *(left.pop(0) for _ in range({"2": 4, "5": 2}[left[0]]))]
                self.colors[code] = color
            elif code == "0":
                self.attributes, self.colors = set(), {"38": [], "48": []}
            elif code == "22":
                self.attributes -= {"1", "2"}
            elif code in ("39", "49"):
                self.colors[f"{int(code) - 1}"] = []
            elif int(code) >= 30:
                self.colors["48" if code[-2] in "40" else "38"] = [code]
            else:
                self.attributes.add(code)

    def seen(self, sign):
        ink, back = self.colors["38"], self.colors["48"]
        if sign == " " and self.attributes <= {"1"}:
            return back
        return [*sorted(self.attributes), *ink, *back]

    def take(self, text):
        y, x, end = 0, 0, 0
        for found in SEQUENCE.finditer(text):
            assert found.start() == end, repr(text[end : end + 20])
            end = found.end()
            row, column, codes, _, sign = found.groups()
            if row:
                y, x = int(row) - 1, int(column) - 1
            elif codes is not None:
                self.look(*codes.split(";"))
            elif sign:
                self.signs += 1
                for n in range(cell_len(sign)):
                    self.cells[y, x + n] = (sign if n == 0 else "", self.seen(sign))
                x += cell_len(sign)
        assert end == len(text)
        assert not self.attributes
        assert self.colors == {"38": [], "48": []}

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
        terminal.take(written.write(pieces, Pen(ColorSystem.TRUECOLOR)))
        for piece in pieces:
            for n, cell in enumerate(shown([piece.strip])[0]):
                wanted[0, piece.x + n] = cell
        halves = {place for place in wanted if half_of_a_sign(wanted, place)}
        assert all(terminal.cells[at] == wanted[at] for at in wanted.keys() - halves)


def test_a_strip_may_be_longer_than_it_says():
    """As of a message in a terminal that is too narrow for its borders."""
    terminal, written = Terminal(), WrittenCells()
    for text in ("bc", "bc", "a"):
        strip = Strip([Segment(text), Segment("")], 0)
        terminal.take(written.write([LinePiece(0, 3, strip)], Pen(ColorSystem.TRUECOLOR)))
        assert "".join(terminal.cells[0, 3 + n][0] for n in range(len(text))) == text
    assert terminal.signs == 3, "what is there is not written again"


def half_of_a_sign(cells, place):
    """Tell whether the other half of a broad sign was written over: each terminal has its way."""
    y, x = place
    sign, _ = cells[place]
    if sign == "":
        return cell_len(cells.get((y, x - 1), (" ", ""))[0]) < 2
    return cell_len(sign) == 2 and cells.get((y, x + 1), (" ", ""))[0] != ""


@pytest.mark.parametrize("strip", [Strip([Segment("")]), Strip([Segment("ab"), Segment("")])])
def test_an_empty_segment_where_nothing_is_known_behind_writes_nothing(strip):
    text = WrittenCells().write([LinePiece(1, 42, strip)], Pen(ColorSystem.TRUECOLOR))
    assert text == ("\x1b[2;43Hab" if strip.cell_length else "")


def test_what_is_there_is_not_written_again():
    written = WrittenCells()

    def signs(strip):
        text = written.write([LinePiece(3, 2, strip)], Pen(ColorSystem.TRUECOLOR))
        return re.sub("\x1b.*?[mH]", "", text)

    line = Strip([Segment("one "), Segment("two ", Style(bold=True)), Segment("three")])
    other = Strip([Segment("one "), Segment("ten ", Style(bold=True)), Segment("three")])
    assert signs(line) == "one two three"
    assert signs(line) == ""
    assert signs(other) == "ten "
    written.forget()
    assert signs(other) == "one ten three"


def test_a_look_is_told_once():
    back, other = Style(color="#000001", bgcolor="#000002"), Style(bgcolor="#000003")
    pen = Pen(ColorSystem.TRUECOLOR)
    assert pen.write(Segment("a", back)) == "\x1b[38;2;0;0;1;48;2;0;0;2ma"
    assert pen.write(Segment("b", back)) == "b"
    assert pen.write(Segment("  ", other)) == "\x1b[48;2;0;0;3m  "
    assert pen.write(Segment("c", back + Style(bold=True))) == "\x1b[1;48;2;0;0;2mc"
    assert pen.write(Segment("d", back)) == "\x1b[22md"
    assert pen.write(Segment("e", Style(reverse=True))) == "\x1b[0;7me"
    assert pen.write(Segment("f", None)) == "\x1b[0mf"
    assert pen.lift() == ""
    assert "https://" in pen.write(Segment("g", Style(link="https://example.org")))


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
