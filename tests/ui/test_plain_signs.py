"""Where the terminal's encoding has not all signs, columns stay where they are."""

import io

import pytest
from rich.cells import cell_len

from hextui.records.codecs.sgf import write_sgf
from hextui.ui.safety.terminal import replace_missing_characters

from .helpers import game
from .program import Program


def written(text: str, encoding: str) -> str:
    """Return what a terminal receives."""
    terminal = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="backslashreplace")
    replace_missing_characters(terminal)
    terminal.write(text)
    terminal.flush()
    return terminal.buffer.getvalue().decode(encoding)


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
