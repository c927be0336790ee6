"""``hextui openings``: the map, what is kept of it, and going on after an interruption."""

import pytest

from hextui.commands import openings
from hextui.engine.search.tree_search import SearchedMove
from hextui.engine.solver import opening_map


@pytest.fixture(autouse=True)
def no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_map, "_table", dict)


def sources(found: dict) -> set[str]:
    return {each["source"] for each in found["openings"]}


def test_a_map_for_people(run) -> None:
    code, out, err = run("openings", "3")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    end = lines.index("Red wins with 5 of 9 first moves, loses with 4")
    assert lines[end + 3 : end + 6] == [" 1 - - + 1", "  2 + + + 2", "   3 + - - 3"]
    assert len([line for line in lines if "search" in line or "the proof of" in line]) == 5


def test_a_document(document) -> None:
    found = document("openings", "4x3")
    assert found["size"] == {"rows": 3, "columns": 4}
    assert found["unknown_moves"] == []
    assert len(found["winning_moves"]) + len(found["losing_moves"]) == 12
    assert [set(each) for each in found["openings"]] == [
        {"opening", "winner", "nodes", "seconds", "source", "proved_by"}
    ] * 6


def test_undecided_openings_are_reported(run, document) -> None:
    code, out, err = run("openings", "5", "--total", "0")
    assert (code, err) == (0, "")
    assert "\nRed wins with 0 of 25 first moves, loses with 0; 25 undecided\n" in out
    assert out.count("undecided") == 14
    assert len(document("openings", "5", "--seconds", "0")["unknown_moves"]) == 25


def test_a_later_run_reuses_stored_results(document, monkeypatch) -> None:
    first = document("openings", "4")
    monkeypatch.setattr(openings, "make_solver", None)  # nothing is searched again
    again = document("openings", "4")
    assert again["winning_moves"] == first["winning_moves"]
    assert sources(again) <= {"disk", "proof"}
    spent = [(each["nodes"], each["seconds"]) for each in first["openings"]]
    assert [(each["nodes"], each["seconds"]) for each in again["openings"]] == spent


def test_fresh_does_without_disk_and_table(document, monkeypatch) -> None:
    document("openings", "3")
    monkeypatch.setattr(opening_map, "_table", lambda: {"3x3": {"a1": ("black", 1, 1.0)}})
    assert sources(document("openings", "3", "--fresh")) <= {"search", "proof"}


def test_the_shipped_table_is_reused(document, monkeypatch) -> None:
    monkeypatch.setattr(opening_map, "_table", lambda: {"3x3": {"b2": ("black", 1, 2.5)}})
    found = document("openings", "3")
    (told,) = (each for each in found["openings"] if each["opening"] == "b2")
    assert told["source"] == "table"
    assert (told["nodes"], told["seconds"]) == (1, 2.5)
    assert len(found["winning_moves"]) == 5


def test_an_interruption_keeps_what_is_decided(run, document, monkeypatch) -> None:
    def interrupted(*arguments):
        for solved, solution in enumerate(whole(*arguments)):
            yield solution
            if solved == 2:
                raise KeyboardInterrupt

    whole = opening_map.decide_in_turn
    with monkeypatch.context() as patch:
        patch.setattr(opening_map, "decide_in_turn", interrupted)
        code, out, err = run("openings", "4")
    assert code == 130
    assert "undecided" in out
    assert err == "hextui: interrupted: repeat the command to continue\n"
    found = document("openings", "4")
    assert found["unknown_moves"] == []
    assert {"disk", "search"} <= sources(found)


def test_a_first_move_that_ends_the_game_is_judged(run) -> None:
    code, out, err = run("openings", "1", "--judge")
    assert (code, err) == (0, "")
    assert "a1" in out


def test_first_moves_are_judged_by_search_where_nothing_is_proved(run, document) -> None:
    code, out, err = run("openings", "4", "--judge")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[lines.index("Swap 4 of 16 first moves") + 3] == " 1 - - - + 1"
    assert "c2       wins, proved   swap" in lines
    found = document("openings", "4", "--judge")
    wins = set(document("openings", "4")["winning_moves"])
    assert {each["opening"] for each in found["openings"] if each["swap"]} == {
        each["opening"] for each in found["openings"] if each["opening"] in wins
    }


def test_a_first_move_that_is_proved_is_not_searched(document, monkeypatch) -> None:
    known = {f"{c}{r}": ("white", 1, 1.0) for c in "abcd" for r in (1, 2)}
    monkeypatch.setattr(opening_map, "_table", lambda: {"4x4": known})
    monkeypatch.setattr("hextui.engine.search.tree_search.searched_moves", None)
    found = document("openings", "4", "--judge")
    assert {(each["chance"], each["proved"], each["swap"]) for each in found["openings"]} == {
        (0.0, True, False)
    }


def test_win_probabilities_are_shown_in_per_cent_and_tenths(run, monkeypatch) -> None:
    told = [SearchedMove(0, 0.38, False, 5, (0,))]
    monkeypatch.setattr("hextui.engine.search.tree_search.searched_moves", lambda *_: told)
    _, out, _ = run("openings", "3", "--judge")
    assert "a1       62%" in out
    assert " 1 6 6 6 1\n" in out
    assert "1 2 tenths of Red's win probability" in out
