from dataclasses import replace

import pytest

from hextui.ui.app import config
from hextui.ui.app.settings import Settings
from hextui.ui.drawing.geometry import View, Zoom
from hextui.ui.drawing.overlays import Overlay

WHOLE = """
[keys]
next = "right"
right = ["l", "ctrl+right"]
help = "?"
play = ["enter", "@"]

[screen]
theme = "mine"
zoom = "compact"
view = "rotated"
overlay = "none"
move-numbers = true
must-play = false

[analysis]
on = false
evaluators = ["resistance", "k-paths:1,raw"]

[lines]
evaluator = "k-paths:0"
minimax = "blocking"
widths = [5, 3, 0]
count = 4

[themes.mine]
primary = "#5b9ee0"
dark = false

[engines.wolve]
command = ["wolve"]
"""


@pytest.fixture
def file(tmp_path):
    return tmp_path / "config.toml"


def test_without_a_file_everything_is_as_it_comes(file):
    assert config.load(file) == config.Config()


def test_a_whole_file(file):
    file.write_text(WHOLE)
    read = config.load(file)
    assert read.keymap == {
        "next": "right",
        "right": "l,ctrl+right",
        "help": "question_mark",
        "play": "enter,at",
    }
    assert read.settings == Settings(
        theme="mine",
        zoom=Zoom.COMPACT,
        view=View.ROTATED,
        overlay=Overlay.NONE,
        move_numbers=True,
        must_play=False,
        analysis=False,
        evaluators=("resistance", "k-paths:1,raw"),
        lines_by="k-paths:0",
        minimax_by="blocking",
        line_widths=(5, 3, 0),
        line_count=4,
    )
    (theme,) = read.themes
    assert (theme.name, theme.primary, theme.dark) == ("mine", "#5b9ee0", False)


@pytest.mark.parametrize(
    ("text", "key", "what"),
    [
        ("x = [\n1 2]", "", "line 2"),
        ("[colors]", "colors", "no such table"),
        ("keys = 1", "keys", "table"),
        ("screen = 1", "screen", "table"),
        ("[keys]\nfly = 'f'", "keys.fly", "unknown action"),
        ("[keys]\nnext = 1", "keys.next", "list of keys"),
        ("[keys]\nnext = 'hyper+n'", "keys.next", "no key 'hyper+n'"),
        ("[keys]\nnext = 'return of the key'", "keys.next", "no key"),
        ("[keys]\nnext = 'p'", "keys", "p is bound to next and previous"),
        ("[screen]\nfont = 'x'", "screen.font", "no such setting"),
        ("[screen]\nzoom = 'vast'", "screen.zoom", "huge, large, medium, compact"),
        ("[screen]\nzoom = []", "screen.zoom", "not one of"),
        ("[screen]\ntheme = 'pink'", "screen.theme", "not one of"),
        ("[screen]\ntheme = 7", "screen.theme", "text"),
        ("[screen]\nmove-numbers = 1", "screen.move-numbers", "true or false"),
        ("[analysis]\non = 'yes'", "analysis.on", "true or false"),
        ("[analysis]\nevaluators = 'resistance'", "analysis.evaluators", "list"),
        ("[analysis]\nevaluators = ['luck']", "analysis.evaluators", "luck"),
        ("[lines]\nevaluator = 'luck'", "lines.evaluator", "luck"),
        ("[lines]\nwidths = '8,0'", "lines.widths", "list of whole numbers"),
        ("[lines]\nwidths = [8, 6]", "lines", "end with 0"),
        ("[lines]\ncount = 0", "lines.count", "whole number from 1"),
        ("[themes]\nmine = 1", "themes.mine", "table"),
        ("[themes.mine]\ndark = true", "themes.mine.primary", "missing"),
        ("[themes.mine]\nprimary = 'bluish'", "themes.mine.primary", "not a colour"),
        ("[themes.mine]\nprimary = 1", "themes.mine.primary", "not a colour"),
        ("[themes.mine]\nprimary = 'red'\nborder = 'red'", "themes.mine.border", "not one of"),
    ],
)
def test_an_error_names_file_and_key_in_one_line(file, text, key, what):
    file.write_text(text)
    line = config.load(file).problems[0]
    assert line.startswith(key)
    assert what in line
    assert "\n" not in line


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\x00", b"x = [\n", b"!\n" * 100])
def test_a_file_that_is_no_toml_is_reported(file, data):
    file.write_bytes(data)
    read = config.load(file)
    assert replace(read, problems=()) == config.Config()
    assert 1 <= len(read.problems) <= 21


OF_LINES = ("lines_by", "minimax_by", "line_widths", "line_count")
BROKEN = [
    ('overlay = "none"', 'overlay = "nothing"', {"overlay": None}),
    ("[screen]", "[screen]\nfont = 'x'", {}),
    ("zoom = ", "zoom ", {"zoom": None}),
    ("theme = ", "theme = 'mine'\ntheme = ", {}),
    ("[lines]", "[lines", dict.fromkeys(OF_LINES)),
    ("widths = [5, 3, 0]", "widths = [5, 3]", dict.fromkeys(OF_LINES)),
    ("evaluators = [", "evaluators = ['luck', ", {"evaluators": None}),
    ("primary = ", "secondary = ", {"theme": None}),
]


@pytest.mark.parametrize(("old", "new", "lost"), BROKEN)
def test_what_is_right_in_a_broken_file_is_used(file, old, new, lost):
    file.write_text(WHOLE)
    whole = config.load(file)
    file.write_text(WHOLE.replace(old, new))
    read = config.load(file)
    assert read.settings == replace(whole.settings, **lost)
    assert read.keymap == whole.keymap
    assert read.engines == whole.engines
    assert len(read.problems) == 1 + ("theme" in lost)


def test_a_key_that_clashes_is_left_out_alone(file):
    file.write_text("[keys]\nhelp = '?'\nnext = 'p'\nright = 'alt+z'\n")
    read = config.load(file)
    assert read.keymap == {"help": "question_mark", "right": "alt+z"}
    assert read.problems == ("keys.next: p is bound to next and previous",)


def test_a_wrong_key_of_an_old_name_is_left_out_alone(file):
    file.write_text("[keys]\nhelp = '?'\ntwo-boards = 5\nright = 'alt+z'\n")
    read = config.load(file)
    assert read.keymap == {"help": "question_mark", "right": "alt+z"}
    assert read.problems == ("keys.two-boards: must be a key or a list of keys",)
    file.write_text("[keys]\nactivity-compare = 'alt+z'\ntwo-boards = 'alt+y'\n")
    read = config.load(file)
    assert read.keymap == {"activity-compare": "alt+z"}
    assert read.problems == (
        "keys.two-boards: is the former name of activity-compare, which is there too",
    )


def test_an_engine_is_used_as_a_whole_or_not_at_all(file):
    file.write_text(WHOLE + "start = 1\n[engines.mohex]\ncommand = ['mohex']\n")
    read = config.load(file)
    assert list(read.engines) == ["mohex"]
    assert read.problems == ("engines.wolve.start: must be a list of texts in quotes, one or more",)


def test_the_old_name_of_an_action_is_taken_and_told(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text('[keys]\ntwo-boards = "alt+z"\n')
    found = config.load(path)
    assert found.keymap == {"activity-compare": "alt+z"}
    assert found.changes == ("The action two-boards is now called activity-compare",)


def test_a_panel_that_is_none_is_told_with_those_there_are(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text('[screen]\npanel = "curve"\n')
    (problem,) = config.load(path).problems
    assert "screen.panel: 'curve' is not one of moves, mistakes" in problem
