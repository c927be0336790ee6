"""``hextui solve``: the document, its trace, swapping, the verdict in words."""

import pytest

from hextui.commands.solve import verdict
from hextui.text import Names


def test_document(document) -> None:
    found = document("solve", "#3,", "--method", "mustplay")
    assert set(found) == {
        "to_move", "winner", "winning_moves", "losing_moves", "carrier", "line", "nodes",
        "seconds", "complete", "if_nobody_swaps",
    }  # fmt: skip
    assert found["winner"] == "black"
    assert found["winning_moves"] == ["c1", "a2", "b2", "c2", "a3"]
    assert found["losing_moves"] == ["a1", "b1", "b3", "c3"]
    assert found["line"][0] in found["winning_moves"]
    assert found["complete"] is True


def test_swapping_has_a_verdict(document) -> None:
    assert "swap-pieces" in document("solve", "#3,b2")["winning_moves"]
    assert "swap-pieces" in document("solve", "#3,a1")["losing_moves"]
    assert "if_nobody_swaps" not in document("solve", "#3,b2")


@pytest.mark.parametrize("words", [(), ("--remember",)])
def test_trace(run, document, words: tuple[str, ...]) -> None:
    trace = document("solve", "#3,b2c1", "--method", "mustplay", "--trace", *words)["trace"]
    assert trace["depth"] == 0
    assert trace["tries"][-1]["reply"] is None
    code, out, err = run("solve", "#3,b2c1", "--method", "mustplay", "--trace", *words)
    assert (code, err) == (0, "")
    assert "must play in" in out
    assert out.splitlines()[-1].startswith("Red wins with")


def test_the_strong_solver_is_the_default(document) -> None:
    found = document("solve", "#5,")
    assert found["winner"] == "black"
    assert found["complete"] is True
    assert found["unknown_moves"] == []
    assert found["line"][0] in found["winning_moves"]
    assert len(found["winning_moves"]) == 13
    assert len(found["losing_moves"]) == 12


@pytest.mark.parametrize(
    ("position", "worst"),
    [
        ("#4c1,a1a2b1a3b3a4", "c1"),
        ("#4c1,d4d3c4d2c2d1", "b4"),  # turned by half
        ("#4c1,:pa1b1a2c1c2d1", "a3"),  # reflected, with colours exchanged
        ("#4c1,:pd4c4d3b4b3a4", "d2"),
    ],
)
def test_the_only_move_that_loses(document, position: str, worst: str) -> None:
    found = document("solve", position)
    assert found["losing_moves"] == [worst]
    assert len(found["winning_moves"]) == 9


def test_both_methods_say_the_same(document) -> None:
    for position in ("#3,", "#3,a1", "#3,b2c1", "#4x3,b1"):
        strong = document("solve", position)
        readable = document("solve", position, "--method", "mustplay", "--remember")
        for field in ("winner", "winning_moves", "losing_moves", "complete"):
            assert strong[field] == readable[field], (position, field)


def test_a_limit_leaves_it_unknown(run, document) -> None:
    found = document("solve", "#9,a2", "--nodes", "3")
    assert found["winner"] is None
    assert found["complete"] is False
    assert "swap-pieces" not in found["winning_moves"] + found["losing_moves"]
    assert len(found["unknown_moves"]) == 80
    code, out, _ = run("solve", "#9,a2", "--nodes", "3")
    assert code == 0
    assert out.startswith("Not decided after ")


def test_solved_positions_are_stored_and_marked(run, document) -> None:
    first = document("solve", "#5,a2")
    again = document("solve", "#5,a2")
    assert (first["source"], again["source"]) == ("search", "disk")
    assert again["winning_moves"] == first["winning_moves"]
    assert document("solve", "#5,a2", "--fresh")["source"] == "search"
    turned = document("solve", "#5,e4")
    assert turned["source"] == "disk"
    assert "in an earlier run" in run("solve", "#5,a2")[1]


def test_a_damaged_file_of_solved_positions_is_reported(run, tmp_path) -> None:
    (tmp_path / "solved.sqlite").write_text("this is no database")
    code, out, err = run("solve", "#3,b2")
    assert code == 0
    assert "wins" in out
    assert "dropped, it was damaged" in err
    assert len(err.splitlines()) == 1


def test_the_sets_of_the_trace(run, document) -> None:
    words = [
        "solve",
        "#2,a1",
        "--method",
        "mustplay",
        "--trace",
        "--connections",
        "--order",
        "rows",
    ]
    code, out, _ = run(*words)
    assert code == 0
    assert "{b1 a2 b2} and {a2} leave {a2}" in out
    assert "winset b1 b2, joined from {b2} {b1}" in out
    assert "connected for Red:\n  a1  b1 a2\n" in out
    found = document(*words)
    assert found["trace"]["tries"][0]["left"] == ["a2"]
    near = {"b1": ["a2", "b2"], "a2": ["b1", "b2"], "b2": ["b1", "a2"]}
    assert found["connections"]["white"] == near


def test_the_order_of_cells(document) -> None:
    words = ("solve", "#3,", "--method", "mustplay", "--trace", "--order")
    assert document(*words, "c3,b1")["trace"]["tries"][0]["move"] == "c3"


def test_the_proof_as_a_tree_of_sentences(run, document) -> None:
    words = ("solve", "#3,", "--method", "mustplay", "--explain", "1")
    lines = document(*words)["explanation"]
    first = lines[0]
    assert (first["depth"], first["text"], first["moves"]) == (0, "Black plays b2", ["b2"])
    assert all(line["moves"][0] == "b2" for line in lines)
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    assert "\n  if Blue plays b1, Red answers a2  (4 lines below)\n" in out
    assert out.endswith("--explain N goes N replies deep\n")


def test_a_whole_tree_leaves_nothing_out(run, document) -> None:
    words = ("solve", "#3,a1b2", "--method", "mustplay", "--explain", "9")
    lines = document(*words)["explanation"]
    assert not any(line["below"] for line in lines)
    assert lines[0]["text"] == "every move of Black loses"
    assert sorted(cell for line in lines if line["depth"] == 1 for cell in line["to"]) == [
        "a2", "a3", "b1", "b3", "c1", "c2", "c3",
    ]  # fmt: skip
    assert "--explain N" not in run(*words)[1]


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        (("#3,a1b2",), "Blue wins, whatever Red plays (proved, "),
        (("#3,a1c3",), "Red wins with b2 or a3 (proved, "),
        (("#3,a1",), "Blue wins with b2; swapping loses (proved, "),
        (("#3,b2",), "Blue wins by swapping; if nobody swaps, Red wins, whatever Blue plays (pr"),
        (("#2,a1b1a2",), "Red has won: the game is over"),
        (
            ("#6,", "--seconds", "0"),
            "Not decided after 0.0 s and 0 nodes: raise --seconds or --nodes",
        ),
        (("#5,", "--winner"), "Red wins with "),
    ],
)
def test_the_verdict_comes_first_in_words(words: tuple[str, ...], verdict: str, run) -> None:
    code, out, err = run("solve", *words)
    assert (code, err) == (0, "")
    assert out.splitlines()[0].startswith(verdict)


def test_a_verdict_counts_undecided_moves() -> None:
    document = {
        "to_move": "black", "winner": "black", "winning_moves": ["a1"], "losing_moves": [],
        "unknown_moves": ["b1", "b2"], "seconds": 60.0, "complete": False,
    }  # fmt: skip
    assert (
        verdict(document, Names.RED_BLUE) == "Red wins with a1 (proved, 60.0 s); 2 moves undecided"
    )
