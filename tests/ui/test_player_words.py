"""No screen calls the players Black or White, or shows a result as SGF writes it."""

import re
import subprocess
import sys

import pytest

from hextui.ui import files
from hextui.ui.main.actions import ALL_ACTIONS
from tests.commands.test_vocabulary import STRAY

from .helpers import press, running, shown, until

NAME_OF_ACTION = re.compile(r"place-(black|white)")  # in the settings file
GAME = "(;GM[11]SZ[5]PB[Ann]PW[Bob]RE[B+R];B[b2];W[a1];B[c3];W[d4])"


def test_where_the_players_are_black_and_white_b_and_w_place_their_stones() -> None:
    code = """
from hextui.wording import call_players
from hextui.words.names import Names
call_players(Names.BLACK_WHITE)
from hextui.ui.keys import problems
from hextui.ui.main.actions import ALL_ACTIONS
print(problems({}, ALL_ACTIONS), *(a.keys for a in ALL_ACTIONS if a.id.startswith("place-")))
"""
    ran = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["[]", "b", "w", "x"]


def test_no_action_names_other_colours() -> None:
    for action in ALL_ACTIONS:
        assert not STRAY.search(f"{action.label} {action.tooltip}")


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
async def test_no_screen_names_other_colours(size, tmp_path) -> None:
    (tmp_path / "game.sgf").write_text(GAME)
    session = files.open_session(str(tmp_path / "game.sgf"))
    async with running(session, size, library=tmp_path / "library.sqlite") as pilot:
        seen = [shown(pilot)]
        for keys in (["end"], ["i", "b"], ["question_mark"], ["pagedown"], ["escape"], ["i"]):
            await press(pilot, *keys)
            seen.append(shown(pilot))
        await press(pilot, "L", "i")
        await press(pilot, *str(tmp_path / "game.sgf"), "enter")
        await until(pilot, lambda: "Ann" in shown(pilot))
        seen.append(shown(pilot))
        assert "Red won" in seen[-1]
        for text in seen:
            assert not STRAY.search(NAME_OF_ACTION.sub("", text)), text
