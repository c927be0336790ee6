"""``hextui report``: games with mistakes that exhaustive play confirms, one and many at once."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hextui.analysis import review_run
from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import game_positions
from hextui.analysis.mistakes import PROVED, review_entries
from hextui.analysis.stored_analysis import ReviewStore
from hextui.analysis.whole_game import analyse_game
from hextui.commands import main, report
from hextui.commands.report_text import ReportText, folder_text, players_of
from hextui.records.codecs.sgf import read_sgf
from hextui.records.formats import read_record
from hextui.runs import workers
from hextui.text import Names
from hextui.words.reviews import entry_move, entry_words
from tests.oracles.winners import Exhaustive

QUICK = ("--evaluator", "resistance", "--solve", "100")
GAME = """(;GM[11]SZ[4]PB[Ann]PW[Bob]RE[W+R]AB[a2][b3]AW[d1][c1]PL[B]
;B[a4];W[b1];B[a3])"""


def mistakes_by_exhaustion(text: str) -> list[tuple[int, set[str]]]:
    """Return the plies of the moves that gave a win away, and what won instead."""
    record = read_sgf(text)
    line = game_positions(record, record.main_line())
    oracle = Exhaustive(record.board)
    found = []
    for here in line:
        if here.cell is None:
            continue
        mover = here.position.to_move
        after = here.position.play(here.cell)
        if oracle.winner(here.position) is mover is not oracle.winner(after):
            wins = oracle.winning_moves(here.position)
            found.append((here.ply + 1, {record.board.name(cell) for cell in wins}))
    return found


JUDGED_GAME = "(;GM[11]SZ[4];B[a1];W[d4];B[d1];W[a4];B[a2];W[d3];B[b3])"


def test_estimated_mistakes_are_listed_as_on_the_screen_apart_from_proved_ones(
    document, capsys
) -> None:
    assert main(["report", JUDGED_GAME, "--evaluator", "resistance", "--solve", "0", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    record = read_sgf(JUDGED_GAME)
    line, found = game_positions(record, record.main_line()), Estimates()
    list(analyse_game(line, ["resistance"], found))
    listed = [e for e in review_entries(line, found, "resistance") if e.by != PROVED]
    assert listed, "the game shows nothing"
    words = lambda entry: entry_words(entry, Names.RED_BLUE)[0]  # noqa: E731
    told = [(f"{m['ply']}. {m['move']}", m["mark"], m["words"]) for m in document["judged"]]
    assert told == [(entry_move(e), e.severity, words(e)) for e in listed]
    assert {m["by"] for m in document["judged"]} == {"resistance"}
    proved = {move["ply"] for m in document["mistakes"] for move in m["moves"]}
    assert not proved & {m["ply"] for m in document["judged"]}

    assert main(["report", JUDGED_GAME, "--evaluator", "resistance", "--solve", "0"]) == 0
    text = capsys.readouterr().out
    _, table = text.split("Mistakes by resistance: estimates, not proofs")
    assert words(listed[0]) in table
    options = ("--evaluator", "resistance", "--solve", "0", "--markdown")
    assert main(["report", JUDGED_GAME, *options]) == 0
    text = capsys.readouterr().out
    _, table = text.split("## Mistakes by resistance: estimates, not proofs")
    assert f"| {entry_move(listed[0])}" in table.replace("\\", "")


def test_the_mistakes_of_a_game(tmp_path, document, capsys) -> None:
    assert main(["report", GAME, *QUICK, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    expected = mistakes_by_exhaustion(GAME)
    assert expected, "the game shows nothing"
    told = [(m["moves"][0]["ply"], set(m["winning_moves"])) for m in document["mistakes"]]
    assert told == expected
    assert all(len(m["moves"]) == 1 and m["all_winning_moves"] for m in document["mistakes"])

    target = tmp_path / "reviewed.sgf"
    assert main(["report", GAME, *QUICK, "--write", str(target)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Ann (Red) against Bob (Blue), 4x4\n\nBlue won, Red resigned. ")
    assert document["story"] in text
    reviewed = read_record(target)
    bad = [node.ply for node in reviewed.main_line() if "BM" in node.properties]
    assert bad == [ply for ply, _ in expected]
    for ply, wins in expected:
        _, better = reviewed.main_line()[ply - 1].children
        assert better.turn.name(reviewed.board) in wins
        assert "TE" in better.properties


def test_without_a_proof_nothing_is_called_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "#5,c3", "--evaluator", "resistance", "--solve", "0"]) == 0
    text = capsys.readouterr().out
    assert "No move is proved to have given a win away." in text
    assert "estimates, not proofs" in text
    assert "Mistakes" not in text


def test_a_folder_is_reported_on_by_player(tmp_path, document, capsys) -> None:
    games = tmp_path / "games"
    games.mkdir()
    swapped = GAME.replace("PB[Ann]PW[Bob]", "PB[Bob]PW[Ann]")
    (games / "two.sgf").write_text(GAME + swapped)
    (games / "bad.sgf").write_text("(;GM[11]SZ[4];B[z9])")
    assert main(["report", str(games), *QUICK, "--json"]) == 1
    printed = capsys.readouterr()
    assert "bad.sgf" in printed.err
    document = json.loads(printed.out)
    assert [game["game"] for game in document["games"]] == [1, 2]
    count = len(mistakes_by_exhaustion(GAME))
    players = {player["player"]: player for player in document["players"]}
    assert sum(player["mistakes"] for player in players.values()) == 2 * count
    assert {name: p["games"] for name, p in players.items()} == {"Ann": 2, "Bob": 2}
    assert {name: p["lost"] for name, p in players.items()} == {"Ann": 1, "Bob": 1}
    for player in players.values():
        assert player["mistakes"] == count == sum(player["by_ply"].values())
        assert player["mistakes"] == sum(player["by_kind"].values())
    assert main(["report", str(games / "two.sgf"), "--all", *QUICK]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Proved mistakes in 2 games\n")
    assert document["games"][0]["mistakes"][-1]["words"] in text


def test_the_kinds_of_a_players_mistakes_make_a_table() -> None:
    def mistake(ply: int, kind: str) -> dict[str, object]:
        return {"player": "black", "moves": [{"ply": ply}], "kind": kind, "words": f"ply {ply}"}

    kinds = ["must-play", "other", "must-play", "several"]
    game = {
        "players": {"black": "Ann", "white": "Bob"},
        "result": "W+R",
        "winner": "white",
        "decided": None,
        "decision": None,
        "worst": None,
        "mistakes": [mistake(ply, kind) for ply, kind in zip((3, 20, 33, 50), kinds, strict=True)],
        "opening": {"player": "white", "ply": 2, "words": "Bob swapped"},
    }
    (ann, bob) = players_of([game])
    assert {kind: n for kind, n in ann["by_kind"].items() if n} == {
        "must-play": 2,
        "other": 1,
        "several": 1,
    }
    assert list(ann["by_ply"].values()) == [1, 1, 1, 1]
    assert {kind: n for kind, n in bob["by_kind"].items() if n} == {"opening": 1}
    document = {"games": [{**game, "source": "x", "game": 1}], "players": [ann, bob]}
    text, markdown = (folder_text(document, Names.RED_BLUE, each) for each in (False, True))
    assert re.search(r"Ann +did not meet a threat +2 +0 +0 +1 +1 +0", text)
    assert "| Ann " in markdown


OTHERS = ("b3", "c2")
SEVERAL = GAME + "".join(JUDGED_GAME.replace("B[b3]", f"B[{cell}]") for cell in OTHERS)


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The plies of each game that was analysed, one more for each; -1 stops the next one.

    Workers are threads.
    """
    done: list[int] = []

    def counting(line, *arguments, **more):
        if -1 in done:
            raise KeyboardInterrupt
        done.append(line[-1].ply)
        return analyse_game(line, *arguments, **more)

    monkeypatch.setattr(report, "analyse_game", counting)
    monkeypatch.setattr(review_run, "analyse_game", counting)
    monkeypatch.setattr(workers, "processes", lambda number: ThreadPoolExecutor(1))
    return done


def test_an_interrupted_report_continues(tmp_path: Path, analysed: list[int], run) -> None:
    path = tmp_path / "games.sgf"
    path.write_text(GAME)
    assert run("report", str(path), "--all", *QUICK)[0] == 0
    path.write_text(SEVERAL)
    analysed.append(-1)
    code, _, said = run("report", str(path), "--all", *QUICK)
    assert (code, "repeat the command to continue" in said) == (130, True)
    code, _, said = run("report", str(path), "--all", *QUICK, "--fresh")
    assert (code, "repeat the command" in said) == (130, False), "it keeps nothing"
    analysed.clear()
    code, text, _ = run("report", str(path), "--all", *QUICK)
    assert (code, text.splitlines()[0]) == (0, "Proved mistakes in 3 games")
    assert analysed == [7] * 4, "the two others, each in two passes"
    run("report", str(path), "--all", *QUICK[:-1], "101")
    assert len(analysed) == 7, "a larger budget may find more"


def test_reviews_are_reused_and_the_report_is_the_same(
    tmp_path: Path, analysed: list[int], run
) -> None:
    path = tmp_path / "games.sgf"
    path.write_text(SEVERAL)
    for words in ((GAME,), (JUDGED_GAME,), (str(path), "--all")):
        arguments = ("report", *words, *QUICK, "--json")
        _, fresh, _ = run(*arguments, "--fresh")
        first = len(analysed)
        _, made, _ = run(*arguments)
        _, reused, _ = run(*arguments)
        assert len(analysed) <= 2 * first
        assert fresh == made == reused
        analysed.clear()
        run(*arguments, "--fresh")
        assert len(analysed) == first, "--fresh uses none"
        analysed.clear()


def test_a_fresh_report_stores_nothing(analysed: list[int], run) -> None:
    run("report", GAME, *QUICK, "--fresh")
    run("report", GAME, *QUICK)
    assert len(analysed) == 2


def test_the_screens_review_is_reused(analysed: list[int], run) -> None:
    record = read_sgf(GAME)
    line, found = game_positions(record, record.main_line()), Estimates()
    list(analyse_game(line, ["resistance"], found, solve_seconds=100.0))
    with closing(ReviewStore()) as store:
        store.keep(line, found)
    code, text, _ = run("report", GAME.replace("Ann", "Eve"), *QUICK)
    assert code == 0
    assert "Eve (Red) against Bob" in text
    assert not analysed


def test_reviews_that_cannot_be_stored_are_reported_on_all_the_same(
    tmp_path, monkeypatch, capsys
) -> None:
    (tmp_path / "file").write_text("")
    game = tmp_path / "game.sgf"
    game.write_text(GAME)
    (tmp_path / "folder").mkdir()
    for name in ("file/reviews", "folder"):  # neither can be made, each for another reason
        monkeypatch.setattr("hextui.locations.reviews_file", lambda at=name: tmp_path / at)
        assert main(["report", str(game), "--all", *QUICK]) == 0
        printed = capsys.readouterr()
        assert printed.out.startswith("Proved mistakes in 1 game\n")
        assert printed.err.count("reviews are not kept: ") == 1
        assert "Traceback" not in printed.err


def test_markdown_keeps_names_plain() -> None:
    texts = []
    for markdown in (True, False):
        made = ReportText(markdown)
        made.heading("A*b", 1)
        made.paragraph("1. <b>")
        made.table(["x|y"], [["[z](w)"]])
        texts.append(str(made))
    text, plain = texts
    assert text.splitlines()[0] == r"# A\*b"
    assert r"1\. \<b\>" in text
    assert r"| x\|y" in text
    assert r"[z\](w)" in text
    assert plain == "A*b\n\n1. <b>\n\nx|y\n[z](w)"


@given(st.text("ab1 \\`*_{}[]()<>|#~&!.:;-/"))
def test_markdown_shows_any_name_as_it_is(name: str) -> None:
    made = ReportText(markdown=True)
    made.heading(f"a {name} b")
    made.table(["name"], [[f"a {name} b"]])
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    inline = [token for token in parser.parse(str(made)) if token.type == "inline"]
    assert [token.content for token in inline][1] == "name"
    for token in (inline[0], inline[2]):
        parts = token.children or []
        assert {part.type for part in parts} <= {"text", "text_special"}
        assert " ".join("".join(part.content for part in parts).split()) == " ".join(
            f"a {name} b".split()
        )


def test_markdown_marks_no_point_that_begins_no_list() -> None:
    made = ReportText(markdown=True)
    made.paragraph("0.951 is much")
    made.table(["Q"], [["0.951"], ["23. i4"]])
    assert "\\" not in str(made)
    made.paragraph("12) b")
    assert str(made).endswith(r"12\) b")


def test_games_of_the_library_are_reported_on_together(
    tmp_path, monkeypatch, run, document
) -> None:
    monkeypatch.setattr("hextui.locations.library_file", lambda: tmp_path / "library.sqlite")
    games = tmp_path / "games.sgf"
    games.write_text(GAME + JUDGED_GAME.replace("SZ[4]", "SZ[4]PB[Cy]"))
    assert run("library", "import", str(games))[0] == 0
    (first, second) = document("report", "--library", *QUICK)["games"]
    assert (first["source"], second["source"]) == (str(games), str(games))
    (found,) = document("report", "--search", "player=cy", *QUICK)["games"]
    assert found == (first if first["players"]["black"] == "Cy" else second)
    for words in ((), (GAME, "--library")):
        code, out, err = run("report", *words)
        assert (code, out) == (2, "")
        assert err.startswith("hextui: give a game, a folder of games, or --library")
    assert run("report", "--search", "colour=red")[0] == 2


def test_a_text_longer_than_any_files_name_is_no_folder(capsys) -> None:
    text = GAME.replace("Ann", "A" * 5000)
    assert main(["report", text, "--evaluator", "resistance", "--solve", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["players"]["black"] == "A" * 5000
