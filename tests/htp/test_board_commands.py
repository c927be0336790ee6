"""The board as clients see it: moves, swaps, undo, scores, files, parameters, and bad input."""

import pytest

from hextui.engine.evaluators import names
from hextui.version import __version__
from tests.htp.clients import InThread

EMPTY_4 = "a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4"


def test_who_we_are(client: InThread) -> None:
    assert client.ask("1 name") == "=1 hextui"
    assert client.good("version") == __version__
    assert client.good("protocol_version") == "2"
    known = client.good("list_commands").split("\n")
    assert known == sorted(known)
    assert {"genmove", "quit", "dfpn-solve-state"} <= set(known)
    assert all(client.good(f"known_command {name}") == "true" for name in known)
    assert client.good("known_command foo") == "false"
    client.done("gogui-interrupt")


def test_the_board_is_shown_with_its_last_move(client: InThread) -> None:
    client.done("boardsize 5 4", "play B c2", "play white E4")
    assert client.good("showboard").split("\n") == [
        "",
        "   a b c d e",
        " 1 . . . . . 1",
        "  2 . . B . . 2",
        "   3 . . . . . 3",
        "    4 . . . . W 4",
        "       a b c d e",
        "black to move, last move e4",
    ]
    client.done("undo", "clear_board")
    assert client.good("showboard").endswith("\nblack to move")


def test_any_colour_may_play_at_any_time(client: InThread) -> None:
    client.done("play b a1", "play b a2", "play Red a3", "play b a4")
    assert client.good("final_score") == "B+"
    assert client.good("all_legal_moves") == ""
    assert client.good("genmove w") == "resign"
    assert client.good("reg_genmove b") == "resign"
    assert client.good("dfpn-solve-state w") == "black"
    assert client.good("dfpn-solver-find-winning b") == ""
    assert client.good("hextui-explain w") == "black has won"
    assert client.good("hextui-pv resistance b") == ""
    client.done("undo", "play w resign")
    assert client.good("final_score") == "cannot score"
    assert client.good("all_legal_moves") == EMPTY_4.replace("a1 ", "").replace("a2 ", "").replace(
        "a3 ", ""
    )
    assert client.good("group-get a2") == "a1 a2 a3"
    assert client.good("group-get d4") == ""


def test_a_swap_is_refused_unless_it_is_allowed(client: InThread) -> None:
    client.done("play b b1")
    assert "allow_swap" in client.bad("play w swap-pieces")
    assert "swap-pieces" not in client.good("all_legal_moves")
    client.done("param_game allow_swap 1")
    assert client.good("all_legal_moves").endswith(" swap-pieces")
    assert "after the first move" in client.bad("play b swap-pieces")
    client.done("play w swap-pieces")
    assert "B" in client.good("showboard").split("\n")[2]  # the stone has stayed
    assert "after the first move" in client.bad("play b swap-pieces")
    client.done("undo", "param_game swap_board reflect", "play w swap-pieces")
    rows = client.good("showboard").split("\n")
    assert rows[2:4] == [" 1 . . . . 1", "  2 W . . . 2"]
    assert rows[-1] == "black to move, last move swap-pieces"
    client.done("boardsize 5 4", "play b a1")
    assert "not square" in client.bad("play w swap-pieces")


def test_we_swap_only_where_the_parameter_allows(client: InThread) -> None:
    client.done("play b b2")
    assert client.good("reg_genmove w") != "swap-pieces"
    client.done("param_game allow_swap 1")
    assert client.good("genmove w") == "swap-pieces"
    assert client.good("showboard").endswith("black to move, last move swap-pieces")


def test_a_whole_game_at_once(client: InThread) -> None:
    client.done("play-game a1 b1 a2 b2")
    assert "a4" in client.bad("play-game a1 a4 a4")
    assert client.good("group-get b1") == "b1 b2"
    client.done("undo")  # the game that stands has all its moves
    assert client.good("group-get b1") == "b1"


def test_records_are_loaded(client: InThread, tmp_path) -> None:
    game = tmp_path / "a game.sgf"
    game.write_text("(;GM[11]SZ[5];B[a5];W[c3];B[b4])")
    client.done(f"loadsgf {game}")
    assert client.good("showboard").endswith("white to move")
    assert len(client.good("all_legal_moves").split()) == 22
    client.done(f"loadsgf {game} 1")
    assert len(client.good("all_legal_moves").split()) == 24
    assert "nowhere.sgf" in client.bad("loadsgf nowhere.sgf")
    assert len(client.good("all_legal_moves").split()) == 24


def test_parameters_are_listed_and_changed(client: InThread) -> None:
    assert client.good("param_game").split("\n") == [
        "",
        "[bool] allow_swap 0",
        "[list/keep/reflect] swap_board keep",
        "[string] game_time 0",
    ]
    client.done("param_dfpn use_guifx 1", "param_dfpn timelimit 2.5")
    assert client.good("param_dfpn").split("\n")[1:] == [
        "[bool] use_guifx 1",
        "[string] timelimit 2.5",
    ]
    client.done("param_hextui player k-paths:1")
    assert "[string] player k-paths:1" in client.good("param_hextui")


def test_time(client: InThread) -> None:
    assert client.good("time_left") == "Black: unlimited White: unlimited"
    client.done("param_game game_time 60")
    assert client.good("time_left w") == "60.0"
    client.done("time_settings 0 30 3", "time_left b 12.5 2")
    assert client.good("time_left") == "Black: 12.5/2 White: 30.0/3"
    client.done("time_left w 0")
    client.done("clear_board")
    assert client.good("time_left") == "Black: 30.0/3 White: 30.0/3"
    client.done("time_left w 0")
    assert client.good("genmove w") in EMPTY_4.split()  # no time left: the best known at once


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("foo", "unknown command: foo"),
        ("12foo", "unknown command: 12foo"),
        ("boardsize", "1 to 2 arguments, not 0"),
        ("boardsize 0", "1 to 19, not '0'"),
        ("boardsize 20", "1 to 19, not '20'"),
        ("boardsize 5x5", "not '5x5'"),
        ("boardsize 5 5 5", "1 to 2 arguments, not 3"),
        ("boardsize 99999999999999999999", "1 to 19"),
        ("clear_board now", "takes 0 arguments"),
        ("play b", "2 arguments, not 1"),
        ("play green a1", "not a colour"),
        ("play b z9", "no cell 'z9' on a 4x4 board"),
        ("play b a5", "no cell"),
        ("play b pass", "illegal move: black pass"),
        ("play b swap-sides", "illegal move: black swap-sides"),
        ("undo", "nothing to undo"),
        ("genmove", "1 argument, not 0"),
        ("genmove x", "not a colour"),
        ("known_command", "1 argument"),
        ("group-get e1", "no cell"),
        ("loadsgf", "takes a file"),
        ("param_game nothing 1", "no parameter 'nothing'; choose from allow_swap"),
        ("param_game allow_swap 2", "0 or 1, not '2'"),
        ("param_game swap_board away", "keep or reflect"),
        ("param_game game_time -1", "not a time"),
        ("param_dfpn timelimit nan", "not a time"),
        ("param_hextui player nobody", "no evaluator 'nobody'"),
        ("param_hextui player minimax(k-paths:0/8)", "widths"),
        ("time_settings 1", "3 arguments"),
        ("time_settings 1 1 x", "a whole number"),
        ("time_left x", "not a colour"),
        ("dfpn-solve-state", "1 argument"),
        ("vc-build z", "not a colour"),
        ("vc-between-cells-full b a1", "3 arguments"),
        ("vc-between-cells-full b a1 west", "black joins north and south, not west"),
        ("vc-between-cells-full b a1 e9", "no cell"),
        ("hextui-values nobody b", "no evaluator 'nobody'"),
        ("hextui-heat resistance", "2 arguments"),
        ("hextui-pv nobody b", "no evaluator"),
        ("hextui-explain b a1 nobody", "no evaluator"),
    ],
)
def test_bad_input_gets_one_line_and_the_next_command_is_answered(
    client: InThread, line: str, words: str
) -> None:
    assert words in client.bad(line)
    assert client.ask("9 name") == "=9 hextui"


def test_an_occupied_cell(client: InThread) -> None:
    client.done("play w c3")
    assert client.bad("play b c3") == "illegal move: black c3 (occupied)"
    assert "c3" in client.bad("hextui-explain b c3")
    assert client.bad("vc-connected-to-full b c3") == "c3 is white"


def test_ids_and_bytes_that_are_no_text(client: InThread) -> None:
    assert client.ask("7") == "?7 no command"
    assert client.ask("12 foo") == "?12 unknown command: foo"
    assert client.ask("f\xf6\xf6 \u2603") == "? unknown command: f\\xf6\\xf6"
    assert client.ask("x" * (2 << 20)) == "? unknown command: a line of more than a megabyte"


@pytest.mark.timeout(60)
def test_what_is_no_file_is_not_loaded(client: InThread, not_files: list[str]) -> None:
    before = len(client.logged)
    for name in not_files:
        for words in (name, f"{name} 3"):
            assert client.bad(f"loadsgf {words}")
    assert len(client.logged) == before


def test_what_nobody_thought_of_is_an_answer_too(client: InThread, monkeypatch) -> None:
    def broken() -> str:
        raise RuntimeError("out of order\nand more")

    monkeypatch.setattr("hextui.htp.server.analyze_commands", broken)
    assert client.bad("hexgui-analyze_commands") == "RuntimeError: out of order and more"
    assert "Traceback" in client.logged[-1]


def test_the_menu_names_known_commands_and_no_label_twice(client: InThread) -> None:
    lines = client.good("hexgui-analyze_commands").split("\n")
    parts = [line.split("/") for line in lines]
    assert all(len(part) == 3 for part in parts)
    labels = [label for _, label, _ in parts]
    assert len(set(labels)) == len(labels)
    assert all(client.good(f"known_command {c.split()[0]}") == "true" for _, _, c in parts)
    drawn = "gfx group inferior move none param plist pspairs string var vc"
    assert " ".join(sorted({kind for kind, _, _ in parts})) == drawn
    assert all(f"{name} heat" in labels for name in names())
