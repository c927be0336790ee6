"""The board as a picture: what is drawn, what the terminal gets of it, and who asks for it."""

import base64
import random
import re
import struct
import zlib
from dataclasses import replace

import numpy as np
import pytest
from rich.segment import ControlType, Segment
from rich.style import Style
from rich.terminal_theme import DIMMED_MONOKAI
from textual.color import Color
from textual.filter import ANSIToTruecolor, Monochrome
from textual.geometry import Offset

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.records.board_view import BoardView, Connected, Mark, Mode
from hextui.ui.drawing.board_image import BoardImage, alpha_channel, image_layout, own_pixels
from hextui.ui.drawing.geometry import OUTSIDE, BoardGeometry, View, Zoom
from hextui.ui.drawing.painter import HARMLESS, looks, of_texts
from hextui.ui.drawing.palette import BASIC, DARK, GREY, LIGHT
from hextui.ui.safety.graphics import HALF_BLOCKS, GraphicsProtocol, TerminalGraphics, graphics_of
from hextui.ui.widgets.board_widget import BoardWidget
from tests.samples import some, some_rows

from .helpers import game, press, running, settle, shown, until, workstation
from .program import LEAVES, Program

KITTY, SIXEL = (
    TerminalGraphics(GraphicsProtocol.KITTY, (9, 19)),
    TerminalGraphics(GraphicsProtocol.SIXEL, (10, 20)),
)
APC_OK = "\x1b_Gi=31;OK\x1b\\"


# What a terminal says of itself


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        pytest.param(f"{APC_OK}\x1b[6;19;9t\x1b[?62;c", KITTY, id="kitty"),
        pytest.param(
            f"{APC_OK}\x1b[6;19;9t\x1b[?62;22;52c", replace(KITTY, copies=True), id="Ghostty"
        ),
        pytest.param(f"{APC_OK}\x1b[6;20;10t\x1b[?65;4;6;18;22c", SIXEL, id="WezTerm"),
        pytest.param(f"{APC_OK}\x1b[6;20;10t\x1b[?62;1;4c", SIXEL, id="Konsole"),
        pytest.param("\x1b[6;20;10t\x1b[?62;4;22;28c", SIXEL, id="foot"),
        pytest.param("\x1b[6;20;10t\x1b[?63;1;2;4;6;9;15;16;22;28c", SIXEL, id="xterm -ti vt340"),
        pytest.param("\x1b[6;13;6t\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c", HALF_BLOCKS, id="xterm"),
        pytest.param("\x1b[6;20;10t\x1b[?61;4;6;7;14;21;22;23;24;28;32;42c", SIXEL, id="Windows"),
        pytest.param("\x1b[?1;2c", HALF_BLOCKS, id="tmux"),
        pytest.param("\x1b[6;20;10t\x1b[?1;2;4c", SIXEL, id="tmux with Sixel"),
        pytest.param("\x1b[?1;2;4c", HALF_BLOCKS, id="Sixel, characters of unknown size"),
        pytest.param("\x1b[6;0;0t\x1b[?1;2;4c", HALF_BLOCKS, id="size 0"),
        pytest.param("\x1b_Gi=31;ENOTSUPPORTED\x1b\\\x1b[6;19;9t\x1b[?62;c", HALF_BLOCKS, id="no"),
        pytest.param("\x1b[?62;14;40c", HALF_BLOCKS, id="4 as a digit"),
        pytest.param("", HALF_BLOCKS, id="no answer"),
        pytest.param("\x1b[?62;22;52c", TerminalGraphics(copies=True), id="clipboard"),
        pytest.param(
            "\x1b[6;20;10t\x1b[?62;4;52c",
            TerminalGraphics(GraphicsProtocol.SIXEL, (10, 20), copies=True),
            id="Sixel and clipboard",
        ),
    ],
)
def test_what_answers_mean(answers, expected):
    assert graphics_of(answers) == expected
    assert graphics_of(f"nj{answers}") == expected


def ask(home, answer, **more):
    """Start the program in a terminal that answers, and show its board as a picture."""
    program = Program(home, columns=140, rows=45, colors="truecolor", **more)
    program.wait_for_text(b"\x1b[c")
    program.keys(answer)
    program.wait_for_text(b"to move")
    return program


def test_the_program_asks_and_leaves_the_terminal_as_it_was(tmp_path):
    with ask(tmp_path, f"l{APC_OK}\x1b[6;20;10t\x1b[?62;cl".encode()) as program:
        program.wait_for_text(b"h6")  # typed before and after the answer: two steps right
        assert b"Gi=31;OK" not in program.output
        program.keys(b"#")
        program.wait_for_text(b"\x1b_Ga=T")
        program.keys(b"q")
        assert program.wait() == 0
        left = program.output.partition(LEAVES)[2]
        deletes = re.findall(rb"1049h\x1b_Ga=d,d=R,x=(\d+),y=(\d+),q=2\x1b\\\x1b\[\?1049l", left)
        first, last = map(int, deletes[0])
        sent = set(map(int, re.findall(rb"_Ga=T[^;]*,i=(\d+)", program.output)))
        assert sent
        assert first <= min(sent) <= max(sent) <= last


@pytest.mark.parametrize(
    ("answer", "sent"),
    [(b"\x1b[6;20;10t\x1b[?62;4c", b'\x1bP0;1;0q"1;1;100;20'), (b"", b"needs more room")],
)
def test_the_program_in_terminals_without_kitty(tmp_path, answer, sent):
    with ask(tmp_path, answer) as program:
        program.keys(b"#")
        program.wait_for_text(sent)
        program.keys(b"q")
        assert program.wait() == 0
        assert b"\x1b_Ga" not in program.output


# What is drawn


def placed(board=None, view=View.NORMAL, graphics=KITTY, size=(100, 36), boards=1):
    geometry = BoardGeometry(board or Board(11, 11), Zoom.HUGE, view)
    return image_layout(geometry, boards, size[0], size[1], graphics)


def some_view(seed, board):
    """Return a view with all that a board may show, by chance."""
    lot = random.Random(seed)
    position = Position.empty(board)
    for cell in lot.sample(range(board.cells), board.cells // 3):
        position = position if position.winner else position.play(cell)
    free = list(position.empties)
    some = lot.sample(free, 12)
    return BoardView(
        position,
        cursor=lot.choice(range(board.cells)),
        mode=lot.choice(list(Mode)),
        last_move=lot.choice([c for c in range(board.cells) if c not in free]),
        played=some[0],
        line=tuple(some[1:3]) if seed % 2 else (),
        numbers={c: c for c in range(board.cells) if c not in free},
        labels={some[3]: "1", some[4]: "23"},
        heat={some[3]: 1.0, some[4]: 0.3},
        verdicts={some[3]: True, some[5]: False, some[6]: True},
        connected=Connected(position.to_move, frozenset(some[7:9]), key=some[7])
        if seed % 3
        else None,
        must_play=frozenset(some[4:10]),
        marks={some[10]: Mark("dm")},
        markup={some[11]: "<>"},
    )


@pytest.mark.parametrize("palette", some([DARK, LIGHT, GREY, BASIC], 1))
@pytest.mark.parametrize("graphics", [KITTY, SIXEL, HALF_BLOCKS])
def test_what_is_drawn_again_is_what_would_be_drawn_at_once(palette, graphics):
    layout = placed(graphics=graphics)
    image = BoardImage(layout, graphics.protocol, 0)
    for seed in range(8):
        view = some_view(seed, layout.geometry.board)
        look = looks(view, palette, "#102030", narrow=False)
        before = image.pixels.copy()
        lines = image.draw(view, look, palette.shades[1])
        at_once = BoardImage(layout, graphics.protocol, 0)
        assert at_once.draw(view, look, palette.shades[1]) == set(range(layout.height))
        assert np.array_equal(image.pixels, at_once.pixels)
        changed = np.flatnonzero((image.pixels != before).any(axis=(1, 2)))
        assert {row // layout.character[1] for row in changed.tolist()} <= lines
    assert not image.draw(view, look, palette.shades[1])
    moved = looks(replace(view, cursor=None), palette, "#102030", narrow=False)
    assert len(image.draw(view, moved, palette.shades[1])) <= 6


@pytest.mark.parametrize("step", [8, 22, 56])
def test_each_pixel_belongs_to_one_cell(step):
    own = own_pixels(step, round(step * 0.866))
    seen = np.zeros((20 * step, 30 * step), int)
    for row in range(12):
        for column in range(12):
            x = 3 * step + column * step + row * step // 2
            y = 3 * step + row * round(step * 0.866)
            part = seen[y - len(own) // 2 :, x - step // 2 :][: len(own), :step]
            part += own
    assert seen.max() == 1
    middle = seen[6 * step : 9 * step, 10 * step : 13 * step]
    assert middle.min() == 1


def encoded_png(pixels, kinds):
    """Return pixels of four channels as a PNG whose rows are filtered as ``kinds`` say."""
    before = np.pad(pixels.astype(int), ((1, 0), (1, 0), (0, 0)))
    left, up, corner = before[1:, :-1], before[:-1, 1:], before[:-1, :-1]
    three = np.stack([left, up, corner])
    nearest = np.abs(left + up - corner - three).argmin(axis=0)
    paeth = np.take_along_axis(three, nearest[None], axis=0)[0]
    likely = np.stack([0 * left, left, up, (left + up) // 2, paeth])
    filtered = (pixels - likely).astype(np.uint8)
    rows = [bytes([kind]) + filtered[kind, y].tobytes() for y, kind in enumerate(kinds)]
    data = zlib.compress(b"".join(rows))
    height, width, _ = pixels.shape
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", data[:50]), (b"IDAT", data[50:]), (b"IEND", b"")]
    png = b"\x89PNG\r\n\x1a\n"
    for kind, content in chunks:
        check = zlib.crc32(kind + content)
        png += struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)
    return png


@pytest.mark.parametrize("kinds", ["0" * 8, "1" * 8, "2" * 8, "3" * 8, "4" * 8, "01234012"])
def test_masks_are_read_whatever_filters_a_png_has(kinds):
    pixels = np.random.default_rng(5).integers(0, 256, (8, 11, 4), np.uint8)
    png = encoded_png(pixels, map(int, kinds))
    assert np.array_equal(alpha_channel(png, 11, 8), pixels[..., 3])


def test_colors_of_the_looks_are_on_their_cells():
    layout = placed()
    view = some_view(3, layout.geometry.board)
    look = looks(view, DARK, "#102030", narrow=False)
    image = BoardImage(layout, GraphicsProtocol.KITTY, 0)
    image.draw(view, look, DARK.shades[1])
    reach = layout.step * 36 // 100
    for cell, (x, y) in enumerate(layout.middles.tolist()):
        there = {
            f"#{r:02x}{g:02x}{b:02x}" for r, g, b in image.pixels[y, x - reach : x + reach + 1]
        }
        assert look[cell].color in there, cell
        around = image.pixels[y - reach : y + reach, x - layout.step // 2 : x + layout.step // 2]
        colors = {f"#{r:02x}{g:02x}{b:02x}" for r, g, b in around.reshape(-1, 3)}
        assert look[cell].rim in {"", *colors}, cell
        if look[cell].text.strip():
            assert look[cell].ink in colors, cell
    corner = tuple(image.pixels[0, 0])
    assert corner == (0x10, 0x20, 0x30)


# The mouse


CASES = [
    (board, view, graphics, size)
    for board in (Board(11, 11), Board(3, 7), Board(1, 1), Board(19, 19))
    for view in View
    for graphics in (KITTY, SIXEL, HALF_BLOCKS)
    for size in ((60, 20), (100, 36), (137, 50))
    if placed(board, view, graphics, size).legible
]


@pytest.mark.parametrize(
    ("board", "view", "graphics", "size"), some_rows([*CASES[::7], *CASES], len(CASES[::7]))
)
def test_the_mouse_finds_every_cell(board, view, graphics, size):
    layout = placed(board, view, graphics, size)
    width, height = layout.character
    for cell, (x, y) in enumerate(layout.middles.tolist()):
        assert layout.hit(x // width, y // height) == cell
    assert layout.hit(0, 0) == layout.hit(layout.width - 1, layout.height - 1) == OUTSIDE
    top, bottom = layout.middles[:, 1].min(), layout.middles[:, 1].max()
    edge = layout.row_step + (layout.step // 4 if layout.grain == 1 else 0)
    assert top >= edge
    assert bottom <= layout.size[1] - edge
    if view is View.NORMAL:  # and all that is drawn has room
        image = BoardImage(layout, graphics.protocol, 0)
        look = looks(BoardView(Position.empty(board)), DARK, "#102030", narrow=False)
        assert image.draw(BoardView(Position.empty(board)), look, DARK.shades[1])


def test_boards_beside_each_other_are_as_large_as_fits():
    one, two = placed(size=(140, 36)), placed(size=(140, 36), boards=2)
    assert two.width == 69
    assert one.step > two.step > one.step // 2
    below = placed(size=(60, 60), boards=2)
    assert (below.width, below.height) == (60, 29)


# What the terminal gets


def decoded_kitty(text):
    """Return the picture of a line, the cells that it takes, and the colour of its placeholders."""
    commands = re.findall("\x1b_G([^;]*);([^\x1b]*)\x1b\\\\", text)
    keys = dict(pair.split("=") for pair in commands[0][0].split(","))
    assert all(len(data) <= 4096 for _, data in commands)
    more = [dict(pair.split("=") for pair in head.split(","))["m"] for head, _ in commands]
    assert more == ["1"] * (len(commands) - 1) + ["0"]
    assert (keys["a"], keys["U"], keys["f"], keys["o"], keys["q"]) == ("T", "1", "24", "z", "2")
    raw = zlib.decompress(base64.b64decode("".join(data for _, data in commands)))
    pixels = np.frombuffer(raw, np.uint8).reshape(int(keys["v"]), int(keys["s"]), 3)
    placeholders = "\x1b\\[0;38;2;(\\d+);(\\d+);(\\d+)m(\U0010eeee\u0305\u0305\U0010eeee*)"
    cells = re.findall(placeholders, text)[0]
    red, green, blue = map(int, cells[:3])
    assert int(keys["i"]) == red << 16 | green << 8 | blue
    assert cells[3].count("\U0010eeee") == int(keys["c"])
    assert keys["r"] == "1"
    return pixels


def decoded_sixel(text):
    """Return the pictures of a line beside each other."""
    found = []
    for width, height, data in re.findall('\x1bP0;1;0q"1;1;(\\d+);(\\d+)([^\x1b]*)\x1b\\\\', text):
        pixels = np.full((-(-int(height) // 6) * 6, int(width), 3), -1.0)
        colors, color, x, top = {}, 0, 0, 0
        for word in re.findall(r"#\d+(?:;\d+){0,4}|!\d+[?-~]|[?-~]|\$|-", data):
            if word[0] == "#":
                color, *parts = map(int, word[1:].split(";"))
                if parts:
                    assert parts[0] == 2
                    colors[color] = np.array(parts[1:]) * 2.55
            elif word == "$":
                x = 0
            elif word == "-":
                x, top = 0, top + 6
            else:
                count = int(word[1:-1]) if word[0] == "!" else 1
                for bit in range(6):
                    if ord(word[-1]) - 63 >> bit & 1:
                        assert (pixels[top + bit, x : x + count] < 0).all(), "painted twice"
                        pixels[top + bit, x : x + count] = colors[color]
                x += count
        assert (pixels[: int(height)] >= 0).all()
        assert (pixels[int(height) :] < 0).all(), "below the line"
        found.append(pixels[: int(height)])
    return np.concatenate(found, axis=1)


def sent(board):
    """Return what the terminal gets after the characters of each line of a board, once filtered."""
    for y in range(board.size.height):
        strip = board.render_line(y).apply_filter(HARMLESS, board.background_colors[1])
        assert strip.cell_length == board.size.width
        assert all(not segment.control for segment in strip.crop(0, strip.cell_length - 1))
        for part in strip.divide([9, strip.cell_length]):  # something covers a part of the line
            assert not any(segment.control for segment in part)
        yield "".join(segment.text for segment in strip if segment.control)


@pytest.mark.parametrize("graphics", [KITTY, SIXEL])
async def test_the_terminal_gets_the_picture(graphics):
    async with running(game("c3", "d2", "b4"), (140, 45), graphics=graphics) as pilot:
        await press(pilot, "number_sign", "n", "n")
        board = pilot.app.main.board
        image = board.images[0]
        decode = decoded_kitty if graphics is KITTY else decoded_sixel
        lines = [text for text in sent(board) if text]
        assert len(lines) == image.layout.height
        for text in lines:
            assert re.match("\x1b7\x1b\\[\\d+G", text)
            assert text.endswith("\x1b8")
        got = np.concatenate([decode(text) for text in lines])
        away = np.abs(got.astype(float) - image.pixels)
        if graphics is KITTY:
            assert not away.any()
        else:  # which has per cent, and not every colour between two
            assert np.median(away) <= 1.3
            assert (away > 1.3).mean() < 0.03
            assert (away > 20).mean() < 0.005
            assert text.count(";2;") <= 16 * text.count("\x1bP")


# On the screen


async def test_the_key_shows_a_picture_and_the_characters_again(tmp_path):
    session = game("c3", "d2")
    async with running(session, (140, 45), graphics=KITTY, state=tmp_path) as pilot:
        main = pilot.app.main
        await press(pilot, "number_sign")
        board = main.board
        assert board.images
        assert main.chosen.picture
        for cell in (0, 7, 24):
            x, y = board.images[0].layout.middles[cell] // KITTY.character
            assert board.cell_under(x, y) == cell
            assert await pilot.click(board, offset=Offset(x, y))
            await settle(pilot)
            assert session.node.turn.move.cell == cell
        await press(pilot, "number_sign")
        assert not board.images
        assert not main.chosen.picture


async def test_a_step_repaints_the_lines_that_it_changes(monkeypatch):
    async with running(game("c3", "d2", "b4", side=11), (140, 45), graphics=SIXEL) as pilot:
        await press(pilot, "number_sign")
        board, refreshed = pilot.app.main.board, []
        refresh = type(board).refresh

        def noted(self, *regions, **how):
            refreshed.extend(regions)
            return refresh(self, *regions, **how)

        monkeypatch.setattr(type(board), "refresh", noted)
        await press(pilot, "left")
        assert 2 <= len(refreshed) <= 6
        assert {region.width for region in refreshed} == {board.size.width}


@pytest.mark.parametrize("graphics", some([KITTY, SIXEL], 1))
async def test_activities_views_themes_and_sizes(graphics):
    async with running(game("c3", "d2", side=11), (140, 45), graphics=graphics) as pilot:
        board = pilot.app.main.board
        for keys in (["number_sign"], ["3"], ["2"], ["r"], ["z"], ["T"], ["Z"], ["escape"], ["4"]):
            await press(pilot, *keys)
            assert board.images
            texts = [text for text in sent(board) if text]
            assert len(texts) >= board.images[0].layout.height
        await pilot.resize_terminal(40, 16)
        await settle(pilot)
        assert len(list(sent(board))) == board.size.height
        await pilot.resize_terminal(200, 60)
        await until(pilot, lambda: board.images)


async def test_half_blocks_have_the_texts_and_wait_for_room():
    session = game("c3", "d2", side=11)
    async with running(session, (140, 45)) as pilot:
        board = pilot.app.main.board
        await press(pilot, "number_sign")
        assert not board.images
        assert "needs more room" in shown(pilot)
        await press(pilot, "Z", "m", "end")
        assert board.images
        lines = [board.render_line(y).text for y in range(board.size.height)]
        assert not any("\x1b" in line for line in lines)
        words = set(" ".join(lines).replace("▀", " ").split())
        assert {"a", "k", "1", "11", "2"} <= words


async def test_the_picture_is_there_at_the_next_start(tmp_path):
    for start in range(2):
        app = workstation(game("c3"), tmp_path, graphics=KITTY)
        async with app.run_test(size=(140, 45)) as pilot:
            await settle(pilot)
            board = app.main.board
            if start == 0:
                await press(pilot, "number_sign")
                app._remember()
            assert board.images


@pytest.mark.parametrize("graphics", [KITTY, SIXEL])
@pytest.mark.parametrize("key", some(["o", "X", "question_mark", "ctrl+p"], 1))
async def test_a_dialog_hides_the_picture_until_it_closes(graphics, key):
    async with running(game("c3", "d2", side=11), (140, 45), graphics=graphics) as pilot:
        await press(pilot, "number_sign")
        main, board = pilot.app.main, pilot.app.main.board
        height = board.images[0].layout.height
        assert len([text for text in sent(board) if text]) == height
        await press(pilot, key)
        assert pilot.app.screen is not main
        assert not any(sent(board))
        # nothing of what shows it has become a text of the dialog's background
        assert not re.search(r"\[\d+G|a=T|#0;2;", shown(pilot))
        await press(pilot, "escape")
        assert pilot.app.screen is main
        assert len([text for text in sent(board) if text]) == height


def test_filters_leave_controls_alone():
    control = Segment("\x1b7picture\x1b8", None, [(ControlType.BELL,)])
    for line_filter in (HARMLESS, *map(of_texts, (ANSIToTruecolor(DIMMED_MONOKAI), Monochrome()))):
        text = [Segment("a\x1bb", Style(color="red"))]
        found = line_filter.apply([*text, control], Color.parse("black"))
        assert found[-1] == control
        assert found[:-1] == line_filter.apply(text, Color.parse("black"))


@pytest.mark.parametrize("graphics", [KITTY, SIXEL])
async def test_the_board_of_another_screen_is_a_picture_too(graphics):
    async with running(game("c3", "d2", side=5), (140, 45), graphics=graphics) as pilot:
        await press(pilot, "number_sign", "Q")
        main, board = pilot.app.main, pilot.app.screen.query_one(BoardWidget)
        assert board is not main.board
        assert len([text for text in sent(board) if text]) == board.images[0].layout.height
        assert not any(sent(main.board))
        await press(pilot, "escape")
        assert pilot.app.screen is main
        assert any(sent(main.board))
