import pytest

from hextui import commands
from hextui.settings.settings_files import ConfigError
from hextui.ui import config
from hextui.ui.drawing.geometry import View, Zoom
from hextui.ui.drawing.overlays import Overlay
from hextui.ui.settings import Settings

WHOLE = """
[keys]
next = "right"
right = ["l", "ctrl+right"]
help = "?"
play = ["enter", "="]

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
        "play": "enter,equals_sign",
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
    with pytest.raises(ConfigError) as caught:
        config.load(file)
    line = str(caught.value)
    assert line.startswith(f"{file}: {key}")
    assert what in line
    assert "\n" not in line


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\x00"])
def test_bytes_that_are_no_toml(file, data):
    file.write_bytes(data)
    with pytest.raises(ConfigError, match=r"config\.toml"):
        config.load(file)


def test_the_program_does_not_start_on_a_broken_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path))
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text("[keys]\nnext = 'p'")
    assert commands.main([]) == 2
    error = capsys.readouterr().err
    assert "config.toml: keys: p is bound to next and previous" in error
    assert error.count("\n") == 1


def test_the_old_name_of_an_action_is_taken_and_told(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text('[keys]\ntwo-boards = "f11"\n')
    found = config.load(path)
    assert found.keymap == {"activity-compare": "f11"}
    assert found.changes == ("The action two-boards is now called activity-compare",)


@pytest.mark.parametrize(
    ("written", "keymap", "changes"),
    [
        ('"f11"', {"worst-move": "f11"}, 0),
        ('">"', {"worst-move": "D"}, 1),
        ('["D", ">"]', {"worst-move": "D"}, 1),
        ('["f11", ">"]', {"worst-move": "f11"}, 1),
    ],
)
def test_a_key_of_the_next_mistake_is_no_longer_that_of_the_worst(
    tmp_path, written, keymap, changes
):
    path = tmp_path / "config.toml"
    path.write_text(f"[keys]\nworst-move = {written}\n")
    found = config.load(path)
    assert found.keymap == keymap
    assert len(found.changes) == changes


def test_a_panel_that_is_none_is_told_with_those_there_are(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text('[screen]\npanel = "curve"\n')
    with pytest.raises(ConfigError, match=r"screen\.panel: 'curve' is not one of moves, mistakes"):
        config.load(path)
