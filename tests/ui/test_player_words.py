"""No screen calls the players otherwise than the user chose, or shows a result as SGF writes it."""

import re

import pytest

from hextui.ui import files
from hextui.ui.actions import all_actions
from hextui.ui.keys import problems
from hextui.ui.settings import Settings
from hextui.words.names import Names
from tests.commands.test_vocabulary import RED_BLUE, STRAY

from .helpers import press, running, shown, until

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


@pytest.mark.parametrize("names", Names)
@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
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
