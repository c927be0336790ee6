"""Texts: selected, edited, in any encoding, and with the names of the players that were chosen."""

import re
import tempfile

import pytest
from rich.cells import cell_len
from textual.selection import SELECT_ALL
from textual.widgets import Input, TextArea

from hextui.records.codecs.sgf import write_sgf
from hextui.records.record_text import harmless, printable
from hextui.text import Names
from hextui.ui.app.keys import problems
from hextui.ui.app.main_screen import all_actions
from hextui.ui.app.settings import Settings
from hextui.ui.record import files
from hextui.ui.safety.terminal import screen_output
from hextui.ui.screens.dialogs import LineDialog
from hextui.ui.widgets.frame import StatusLine, TextRows
from tests.commands.test_vocabulary import RED_BLUE, STRAY

from .helpers import analysing, game, press, running, settle, shown, until
from .program import Program


async def test_what_is_selected_is_marked_and_copied():
    async with analysing(game("c3", "d2"), (140, 45)) as (pilot, _):
        main = pilot.app.main
        await settle(pilot)
        line = main.query_one(StatusLine)
        assert isinstance(line, TextRows)

        def looks():
            pieces = (piece for strip in line.render_lines(line.size.region) for piece in strip)
            return [(piece.text, piece.style.bgcolor, piece.style.reverse) for piece in pieces]

        before = looks()
        main.selections = {line: SELECT_ALL}
        await settle(pilot)
        assert looks() != before
        assert "to move" in main.get_selected_text()


# What the user edits stands on the screen as it is, but commands no terminal


HOSTILE = "a\x1b]52;c;eA==\x07b\x9b31mc\u202ed\ud800e"


def test_nothing_is_left_that_would_be_shown_as_a_number():
    alarming = [character for n in range(0x110000) if len(printable(character := chr(n))) > 1]
    assert len(alarming) > 2000
    assert all(len(printable(harmless(character))) <= 1 for character in alarming)
    assert harmless("Sch\u00f6n \U0001f600 ()") == "Sch\u00f6n \U0001f600 ()"


@pytest.mark.parametrize("size", [(100, 30), (40, 12)])
async def test_a_comment_and_a_line_are_edited(size):
    session = game("c3")
    session.record.set_comment(session.node, HOSTILE)
    async with running(session, size) as pilot:
        await press(pilot, "c")
        await until(pilot, lambda: pilot.app.screen.query(TextArea))
        await pilot.app.push_screen(LineDialog("?", HOSTILE, str, HOSTILE))
        await settle(pilot)
        assert pilot.app.screen.query_one(Input).value == HOSTILE
        assert all(line.isprintable() for line in shown(pilot).splitlines())
        assert "a]52;c;eA==b31mcd\ufffde" in shown(pilot)
        await press(pilot, "escape", "escape")
        assert session.node.comment == HOSTILE.replace("\ud800", "\ufffd")


# Where the terminal's encoding has not all signs, columns stay where they are


def written(text: str, encoding: str) -> str:
    """Return what a terminal receives."""
    with tempfile.TemporaryFile("w+", encoding=encoding, errors="backslashreplace") as terminal:
        output = screen_output(terminal)
        output.write(text)
        output.flush()
        terminal.seek(0)
        return terminal.read()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "utf-8"])
@pytest.mark.parametrize("text", ["✓2 c3", "▀▀ █████▌ 0.7", "白石 Zoë…", "╭─╮│▎▔⭘"])
def test_columns_stay(text: str, encoding: str) -> None:
    assert cell_len(written(text, encoding)) == cell_len(text)


def test_what_an_encoding_has_is_written() -> None:
    assert written("✓ Zoë", "utf-8") == "✓ Zoë"
    assert written("✓ Zoë", "latin-1") == "+ Zoë"
    assert written("✓ Zoë", "ascii") == "+ Zo?"
    assert written("█▌", "cp437") == "█▌"


def test_the_program_writes_no_numbers_of_characters(tmp_path, monkeypatch):
    for name, value in (("LC_ALL", "C"), ("PYTHONUTF8", "0"), ("PYTHONIOENCODING", "")):
        monkeypatch.setenv(name, value)
    path = tmp_path / "game.sgf"
    path.write_text(write_sgf(game("c3", side=5).record))
    with Program(tmp_path / "home", path) as program:
        program.wait_for_text(b"All keys")
        program.keys(b"\x11")  # Ctrl+Q
        assert program.wait() == 0
    assert b"\\u2" not in program.output
    assert program.output.isascii()


# No screen names other colours than the user chose


NAME_OF_ACTION = re.compile(r"place-(black|white)")  # in the settings file
OTHERS = {Names.RED_BLUE: STRAY, Names.BLACK_WHITE: RED_BLUE}
GAME = "(;GM[11]SZ[5]PB[Ann]PW[Bob]RE[B+R];B[b2];W[a1];B[c3];W[d4])"


def test_where_the_players_are_black_and_white_b_and_w_place_their_stones() -> None:
    actions = all_actions(Names.BLACK_WHITE)
    assert problems({}, actions) == []
    assert [a.keys for a in actions if a.id.startswith("place-")] == ["b", "w", "x"]


@pytest.mark.parametrize("names", Names)
def test_no_action_names_other_colours(names: Names) -> None:
    for action in all_actions(names):
        assert not OTHERS[names].search(f"{action.label} {action.tooltip}")


@pytest.mark.parametrize(
    ("size", "names"),
    [
        ((80, 24), Names.BLACK_WHITE),
        pytest.param((140, 45), Names.BLACK_WHITE, marks=pytest.mark.slow),
        pytest.param((140, 45), Names.RED_BLUE, marks=pytest.mark.slow),
    ],
)
async def test_no_screen_names_other_colours(size, names, tmp_path) -> None:
    (tmp_path / "game.sgf").write_text(GAME)
    session = files.open_session(str(tmp_path / "game.sgf"))
    place, settings = names.both[0][0].lower(), Settings(players=names)
    library = tmp_path / "library.sqlite"
    async with running(session, size, library=library, settings=settings) as pilot:
        seen = [shown(pilot)]
        for keys in (
            ["end"], ["i", place], ["question_mark"], ["pagedown"], ["escape"], ["i"], ["2"],
            ["4"], ["f4"], ["escape"], ["1"], ["n", "a"],
        ):  # fmt: skip
            await press(pilot, *keys)
            seen.append(shown(pilot))
        await press(pilot, "L", "i")
        await press(pilot, *str(tmp_path / "game.sgf"), "enter")
        await until(pilot, lambda: "Ann" in shown(pilot))
        seen.append(shown(pilot))
        assert f"{names.both[0]} won" in seen[-1]
        for text in seen:
            assert not OTHERS[names].search(NAME_OF_ACTION.sub("", text)), text
