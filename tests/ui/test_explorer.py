"""The explorer panel, its overlay, and games of the library opened beside the open records."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import Move
from hextui.engine.retrograde import Value
from hextui.engine.verdicts import Verdict, VerdictKind
from hextui.library.answers import EndedGames, ExploredMove, GameRow
from hextui.library.library import Library
from hextui.ui.drawing.overlays import Overlay
from hextui.ui.drawing.palette import DARK
from hextui.ui.live.library_reader import LibraryQuestion, LibraryReader
from hextui.ui.panels.explorer_columns import GameColumns, MoveColumns, ShownMove
from hextui.ui.panels.explorer_panel import ExplorerPanel
from hextui.ui.typed_text import filter_text, read_filter
from hextui.ui.widgets.line_list import BOLD, DIM

from .helpers import game, give_focus, press, running, settle, shown, until
from .resting import PATIENCE

GAMES = (
    "(;GM[11]SZ[5]PB[Ann]PW[Bob]EV[Cup]DT[2019-05-01]RE[B+R];B[b2];W[a1];B[c3])"
    "(;GM[11]SZ[5]PB[Bob]PW[Cy]DT[2021]RE[W+R];B[b2];W[c1];B[a1];W[c3])"
    "(;GM[11]SZ[5]PB[Dee]PW[Ann]DT[2020]RE[B+R];B[d4];W[e5];B[a5])"
)


@pytest.fixture
def library(tmp_path: Path) -> Path:
    (tmp_path / "games.sgf").write_text(GAMES)
    path = tmp_path / "library.sqlite"
    with Library(path) as opened:
        opened.import_paths([tmp_path / "games.sgf"])
    return path


async def looked(pilot):
    """Wait until the library has answered for what is on the screen."""
    main = pilot.app.main

    def answered():
        answer = main.workspace.shown.library
        return answer and answer.question == main.workspace.question

    await until(pilot, answered)


def games_on(pilot) -> list[str]:
    lines = pilot.app.main.query_one("#explored-games").lines
    return ["".join(text for text, _ in line.spans).split("  ")[0] for line in lines]


def moves_on(pilot) -> list[dict[str, str]]:
    found = []
    for line in pilot.app.main.query_one("#explored-moves").lines:
        text = "".join(text for text, _ in line.spans)
        at, cells = 0, {}
        for name, width in pilot.app.main.query_one(ExplorerPanel)._columns.widths.items():
            cells[name] = text[at : at + width].strip()
            at += width
        found.append(cells)
    return found


async def opened(pilot):
    pilot.app.main.workspace.bring("explorer")
    await looked(pilot)


async def test_moves_and_games_at_every_position(library):
    async with running(game("b2", "c1"), (140, 45), library=library) as pilot:
        await opened(pilot)
        # the third game is the same opening, turned
        (first,) = moves_on(pilot)
        expected = {
            "move": "b2 *",
            "games": "3",
            "red": "67%",
            "swap": "0%",
            "verdict": "loses?, a line of 4 plies",
            "reply": "c1",
        }
        assert first.items() >= expected.items()
        assert games_on(pilot) == ["Ann - Bob", "Bob - Cy", "Dee - Ann"]
        await press(pilot, "n")
        await looked(pilot)
        assert [row["move"] for row in moves_on(pilot)] == ["a1", "c1 *"]  # by games
        one, two = moves_on(pilot)
        assert (one["games"], one["red"], one["reply"]) == ("2", "100%", "e1")
        assert one["verdict"] == "loses?, a line of 2 plies"
        assert two["verdict"] == "wins?, a line of 3 plies"
        assert "swap" not in one
        assert "Best line  c1 a1 c3" in shown(pilot)


async def test_games_and_results_have_room_on_any_screen(library):
    for size, date in (((80, 24), "2019"), ((140, 45), "2019-05-01")):
        async with running(game("b2"), size, library=library) as pilot:
            await opened(pilot)
            (line,) = [line for line in shown(pilot).splitlines() if "Ann - Bob" in line]
            assert line.split("Bob")[1].split()[:4] == [date, "Red", "won", "3"]
            assert "loses?" in shown(pilot)
            assert " 67% " in shown(pilot)


async def test_moves_are_shown_in_the_orientation_of_the_board(library):
    async with running(game("d4"), (140, 45), library=library) as pilot:
        await press(pilot, "n")
        await opened(pilot)
        assert {row["move"] for row in moves_on(pilot)} == {"c5", "e5"}


async def test_enter_plays_a_move_and_opens_a_game(library):
    async with running(game(), (140, 45), library=library) as pilot:
        await opened(pilot)
        await give_focus(pilot, pilot.app.main.query_one("#explored-moves"))
        await press(pilot, "enter")
        assert pilot.app.records.session.node.ply == 1
        await looked(pilot)
        await give_focus(pilot, pilot.app.main.query_one("#explored-games"))
        await press(pilot, "down", "enter")
        await until(pilot, lambda: pilot.app.records.session.name == "Bob - Cy")
        assert pilot.app.records.session.node.ply == 1
        assert len(pilot.app.records.sessions) == 2
        await press(pilot, "left_curly_bracket")
        assert pilot.app.records.session.name == "untitled"


async def test_arrows_go_from_the_moves_to_the_games_and_back(library):
    async with running(game("b2", "c1"), (140, 45), library=library) as pilot:
        await press(pilot, "n")
        await opened(pilot)
        await give_focus(pilot, pilot.app.main.query_one("#explored-moves"))
        await press(pilot, "down", "down")
        assert pilot.app.focused.id == "explored-games"
        await press(pilot, "down", "enter")
        await until(pilot, lambda: pilot.app.records.session.name == "Bob - Cy")
        await press(pilot, "left_curly_bracket")
        await give_focus(pilot, pilot.app.main.query_one("#explored-games"))
        await press(pilot, *["up"] * 3)
        assert pilot.app.focused.id == "explored-moves"


async def test_a_proof_outranks_the_results_on_file(library):
    async with running(game("b2", "c1"), (140, 45), library=library) as pilot:
        await press(pilot, "n")
        await opened(pilot)
        workspace, board = pilot.app.main.workspace, pilot.app.main.board.view.position.board
        assert [row["verdict"] for row in moves_on(pilot)] == [
            "loses?, a line of 2 plies",
            "wins?, a line of 3 plies",
        ]
        wins = Verdict(VerdictKind.SOLVER, Color.WHITE)
        loses = Verdict(VerdictKind.SOLVER, Color.BLACK)
        proofs = {board.cell("a1"): wins, board.cell("c1"): loses}
        workspace.verdicts.prove_moves(workspace.session.position, proofs)
        workspace.fill("explorer")
        await settle(pilot)
        one, two = moves_on(pilot)
        assert (one["verdict"], one["reply"]) == ("wins, proved", "")
        assert two["verdict"] == "loses, proved"
        await give_focus(pilot, pilot.app.main.query_one("#explored-moves"))
        await press(pilot, "s", "s")  # Red's share, then the verdict
        assert [row["move"] for row in moves_on(pilot)] == ["a1", "c1 *"]


async def test_no_proof_is_told_of_a_first_move_that_may_be_swapped(library):
    async with running(game("b2"), (140, 45), library=library) as pilot:
        await opened(pilot)
        workspace, board = pilot.app.main.workspace, pilot.app.main.board.view.position.board
        wins = Verdict(VerdictKind.SOLVER, Color.BLACK)
        workspace.verdicts.prove_moves(workspace.session.position, {board.cell("b2"): wins})
        workspace.fill("explorer")
        await settle(pilot)
        assert moves_on(pilot)[0]["verdict"] == "loses?, a line of 4 plies"


async def test_what_the_library_proves_is_told_everywhere(tmp_path):
    (tmp_path / "games.sgf").write_text("(;GM[11]SZ[3]RE[B+];B[a1];W[b3];B[a2];W[c3];B[a3])")
    path = tmp_path / "library.sqlite"
    with Library(path) as made:
        made.import_paths([tmp_path / "games.sgf"])
    session = game("a1", "b3", "a2", "c3", side=3)
    async with running(session, (140, 45), library=path) as pilot:
        await press(pilot, "end")
        await opened(pilot)
        assert pilot.app.main.board.view.verdicts == {session.board.cell("a3"): True}
        assert "Red wins" in shown(pilot)


async def test_moves_are_sorted_by_s_and_by_the_heading(library):
    async with running(game("b2"), (140, 45), library=library) as pilot:
        await press(pilot, "n")
        await opened(pilot)
        moves = pilot.app.main.query_one("#explored-moves")
        await give_focus(pilot, moves)
        assert [row["move"] for row in moves_on(pilot)] == ["a1", "c1"]
        await press(pilot, "s", "s")  # Red's share, then the verdict
        assert [row["move"] for row in moves_on(pilot)] == ["c1", "a1"]
        assert pilot.app.records.session.node.ply == 1  # and nobody swapped
        await pilot.click(moves, offset=(8, 0))
        assert [row["move"] for row in moves_on(pilot)] == ["a1", "c1"]


async def test_moves_of_few_games_are_left_out(library):
    async with running(game("b2"), (140, 45), library=library) as pilot:
        await press(pilot, "n")
        await opened(pilot)
        await press(pilot, "F", *"least=2", "enter")
        await looked(pilot)
        assert [row["move"] for row in moves_on(pilot)] == ["a1"]
        assert "3 games, least=2, 1 move hidden" in shown(pilot)


@pytest.mark.parametrize(("width", "name"), [(38, "1896021"), (60, "human_11x11 - 1896021")])
def test_a_game_without_players_is_not_cut_in_its_name(width, name):
    row = GameRow(
        1, Board(5, 5), "", "", "", "1896021", "2020", Color.WHITE, "", 9, "/x/human_11x11.sgf", 4
    )
    text = "".join(text for text, _ in GameColumns(width, (row,)).line(row).spans)
    assert text.startswith(name)
    assert len(text) <= width


def on_file(won=None):
    """Return a move of which there is something to say in every column."""
    said = Value(winning=False, certain=False, moves=14)
    nobody = EndedGames(0, 0, 0)
    move = ExploredMove(
        Move.play(3), (), 394, 230, 164, said, 2019, nobody, Move.play(7), swapped=100
    )
    return ShownMove(Board(5, 5), move, None, None, DARK, won)


@pytest.mark.parametrize("width", range(28, 80))
def test_columns_are_left_out_whole_and_the_first_never(width):
    columns = MoveColumns(width, "games", (on_file(),))
    assert sum(columns.widths.values()) <= max(width, 29)
    assert {"move", "games", "red", "verdict"} <= columns.widths.keys()
    title = "".join(text for text, _ in columns.heading)
    assert len(title) == sum(columns.widths.values())
    assert columns.order_at(8) == "games"
    assert columns.order_at(width + 20) is None


@pytest.mark.parametrize("width", range(28, 80))
@pytest.mark.parametrize("won", [None, True])
def test_what_no_proof_says_is_muted_and_never_without_its_line(width, won):
    move = on_file(won)
    spans = MoveColumns(width, "games", (move,)).line(move).spans
    text = "".join(text for text, _ in spans)
    told = [(text.strip(), style) for text, style in spans if "wins" in text or "loses" in text]
    assert all(style == (BOLD if won else DIM) for _, style in told)
    assert ("wins" in text) if won else ("loses?" in text) == ("14" in text)


async def test_filters(library):
    async with running(game(), (140, 45), library=library) as pilot:
        await opened(pilot)
        await press(pilot, "F", *"ann date=2019", "enter")
        await looked(pilot)
        assert games_on(pilot) == ["Ann - Bob"]
        assert moves_on(pilot)[0]["games"] == "1"
        await press(pilot, "F", *"nobody", "enter")
        await looked(pilot)
        head, line = (pilot.app.main.query_one(f"#explored-{part}") for part in ("head", "line"))
        await until(pilot, lambda: "No games here" in str(head.content))
        assert str(head.content) == "No games here, nobody"
        assert str(line.content) == "F and an empty line count all games"
        await press(pilot, "F", *" cup=x", "enter")
        assert "none of player" in shown(pilot)


async def test_results_that_contradict_each_other_are_told(library, tmp_path):
    (tmp_path / "other.sgf").write_text("(;GM[11]SZ[5]PB[Eve]PW[Flo]RE[W+R];B[b2];W[a1];B[c3])")
    with Library(library) as known:
        assert known.import_paths([tmp_path / "other.sgf"]).contradicting == 1
    async with running(game("b2", "a1", "c3"), (80, 24), library=library) as pilot:
        await press(pilot, "n", "n")
        await opened(pilot)
        found = [(row["move"], row["verdict"]) for row in moves_on(pilot)]
        assert found == [("c3 *", "wins?!"), ("e1", "wins?")]
        assert "3 games (!: results contradict)" in shown(pilot)
        await press(pilot, "n")
        await looked(pilot)
        assert "2 games, 2 end here!" in shown(pilot)
        assert "Contradicting: Red won 1, Blue won 1" in shown(pilot)
        await press(pilot, "F", *"results=contradicting", "enter")
        await looked(pilot)
        assert games_on(pilot) == ["Ann - Bob", "Eve - Flo"]


async def test_the_overlay_asks_without_the_panel(library):
    async with running(game("b2"), (80, 24), library=library) as pilot:
        pilot.app.main.workspace.choose(overlay=Overlay.LIBRARY)
        await looked(pilot)
        marks = pilot.app.main.board.view.marks
        assert {cell: (mark.text, mark.tint) for cell, mark in marks.items()} == {
            6: ("99", Color.BLACK),
            18: ("99", Color.BLACK),
        }
        await press(pilot, "n")
        await looked(pilot)
        texts = {mark.text for mark in pilot.app.main.board.view.marks.values()}
        assert texts == {"67", "33"}


async def test_without_a_library_and_with_a_broken_one(tmp_path):
    async with running(game(), (140, 45)) as pilot:
        await opened(pilot)
        assert "none in this run" in shown(pilot)
    broken = tmp_path / "library.sqlite"
    async with running(game(), (140, 45), library=broken) as pilot:
        await opened(pilot)
        assert "No games here" in shown(pilot)
        assert not broken.exists()
    broken.write_text("nonsense" * 1000)
    async with running(game(), (140, 45), library=broken) as pilot:
        await opened(pilot)
        assert "cannot be read" in shown(pilot)


def test_only_the_newest_question_is_answered(library):
    heard = []
    librarian = LibraryReader(library, heard.append)
    positions = [game(name).record for name in ("b2", "c1", "d4", "a1")]
    for record in positions:
        librarian.ask(LibraryQuestion(record.position(record.root.end())))
    deadline = time.monotonic() + PATIENCE
    while not heard or heard[-1].question.position != positions[-1].position(
        positions[-1].root.end()
    ):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    librarian.close()
    assert heard[-1].problem == ""


@pytest.mark.parametrize(
    "text",
    ["", "player=ann lee event=cup date=2019-05 size=13x9 least=5", "two words size=5x6"],
)
def test_filters_are_read_and_written(text):
    assert filter_text(read_filter(text)) == text
    assert read_filter("ann lee").words == "ann lee"
    with pytest.raises(ValueError, match="none of"):
        read_filter("who=ann")
    with pytest.raises(ValueError, match="1 or more"):
        read_filter("least=0")
    assert read_filter("size=11").board == Board(11, 11)


async def test_several_records():
    async with running(game("a1")) as pilot:
        await press(pilot, "ctrl+n", "enter")
        assert [session.name for session in pilot.app.records.sessions] == ["untitled", "untitled"]
        await press(pilot, "enter", "right_curly_bracket")
        assert not pilot.app.records.session.record.modified
        await press(pilot, "ctrl+w")
        assert len(pilot.app.records.sessions) == 1
        await press(pilot, "q")
        assert "has changed" in shown(pilot)
        await press(pilot, "escape", "ctrl+w", "d")
        assert pilot.app.records.session.untouched


@pytest.mark.parametrize("width", [38, 44, 60, 90])
def test_a_column_of_which_no_row_has_anything_leaves_its_room_to_others(width):
    row = GameRow(1, Board(5, 5), "Ann", "Bob", "", "", "", Color.BLACK, "", 9, "/x/games.sgf", 1)
    dated = replace(row, date="2019-05-01")
    bare, whole = GameColumns(width, (row, row)), GameColumns(width, (row, dated))
    (told,), (full,) = ([text for text, _ in columns.heading] for columns in (bare, whole))
    assert "date" not in told
    assert "year" not in told
    assert "date" in full or "year" in full
    assert bare._name >= whole._name
    assert "2019" in whole.line(dated).spans[0][0]
    for columns in (bare, whole):
        assert len(columns.line(dated).spans[0][0]) < width


async def test_explore_has_its_own_overlay_and_leaves_that_of_the_other_activities(
    library, tmp_path
):
    places = {"library": library, "state": tmp_path / "state"}
    async with running(game("b2"), (140, 45), **places) as pilot:
        main = pilot.app.main
        await press(pilot, "o", "3")
        await press(pilot, "4")
        assert main.workspace.shown.overlay is Overlay.LIBRARY
        await looked(pilot)
        assert main.board.view.marks
        await press(pilot, "2")
        assert main.workspace.shown.overlay is Overlay.OWN
        await press(pilot, "4", "o")
        await press(pilot, "1", "4")
        assert main.workspace.shown.overlay is Overlay.NONE
        await press(pilot, "q")
    async with running(game("b2"), (140, 45), **places) as pilot:
        assert pilot.app.main.workspace.shown.overlay is Overlay.LIBRARY
        await press(pilot, "1")
        assert pilot.app.main.workspace.shown.overlay is Overlay.OWN
