"""``hextui best-move``: each game."""


def test_tic_tac_toe(run, document) -> None:
    words = ("best-move", "--game", "tic-tac-toe")
    found = document(*words, "XX./OO./...")
    assert found == {"move": "c1", "score": 1, "positions": 1}
    found = document(*words, "XOX/XOO/OXX")
    assert found == {"move": None, "score": 0, "positions": 1}
    assert run(*words, "X.O/.X./..O")[1] == "c2 draws (23 positions visited)\n"


def test_nim(run, document) -> None:
    found = document("best-move", "--game", "nim", "1,2", "--scores")
    assert found == {
        "move": "b-1", "score": 1, "positions": 5, "scores": {"a-1": -1, "b-1": 1, "b-2": -1},
    }  # fmt: skip
    assert run("best-move", "--game", "nim", "1,1", "--scores")[1].splitlines()[1] == ("a-1  loses")


def test_a_swap_that_wins(document) -> None:
    found = document("best-move", "#3,b2", "--scores")
    assert (found["move"], found["score"]) == ("swap-pieces", 1)
    assert set(found["scores"].values()) == {1, -1}
    assert document("best-move", "#3,a1")["move"] == "b2"
    assert document("best-move", "#3x2,b1")["move"] == "swap-sides"


def test_hex(run, document) -> None:
    found = document("best-move", "#3,b2c1")
    assert (found["move"], found["score"]) == ("a1", 1)
    assert document("best-move", "#2,")["if_nobody_swaps"] is True
    assert run("best-move", "#2,")[1].startswith("b1 wins if nobody swaps (")
