"""The explorer panel, its overlay, and games of the library opened beside the open records."""

from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from hextui.engine.board import Board, Color
from hextui.engine.position import Move
from hextui.engine.retrograde import Value
from hextui.engine.verdicts import Verdict, VerdictKind
from hextui.library.answers import ExploredMove, GameCounts, GameRow
from hextui.library.library import Library
from hextui.ui.drawing.overlays import Overlay
from hextui.ui.drawing.palette import DARK
from hextui.ui.panels.explorer_columns import ORDERS, GameColumns, MoveColumns, ShownMove
from hextui.ui.panels.explorer_panel import ExplorerPanel
from hextui.ui.panels.panel import Change
from hextui.ui.widgets.line_list import BOLD, DIM, PLAIN

from .helpers import game, give_focus, press, row_text, running, settle, shown, until

GAMES = (
    "(;GM[11]SZ[5]PB[Ann]PW[Bob]EV[Cup]DT[2019-05-01]RE[B+R];B[b2];W[a1];B[c3])"
    "(;GM[11]SZ[5]PB[Bob]PW[Cy]DT[2021]RE[W+R];B[b2];W[c1];B[a1];W[c3])"
    "(;GM[11]SZ[5]PB[Dee]PW[Ann]DT[2020]RE[B+R];B[d4];W[e5];B[a5])"
)


def made(folder: Path, games: str) -> Path:
    """Return a library of games."""
    (folder / "games.sgf").write_text(games)
    with Library(folder / "library.sqlite") as library:
        library.import_paths([folder / "games.sgf"])
    return folder / "library.sqlite"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return made(tmp_path, GAMES)


async def looked(pilot):
    """Wait until the library has answered for what is on the screen."""
    main = pilot.app.main

    def answered():
        answer = main.workspace.shown.library
        return answer and answer.question == main.workspace.question

    await until(pilot, answered)


def games_on(pilot) -> list[str]:
    lines = pilot.app.main.query_one("#explored-games").lines
    return [row_text(line).split("  ")[0] for line in lines]


def moves_on(pilot) -> list[dict[str, str]]:
    found = []
    for line in pilot.app.main.query_one("#explored-moves").lines:
        text = row_text(line)
        at, cells = 0, {}
        for name, width in pilot.app.main.query_one(ExplorerPanel)._columns.widths.items():
            cells[name] = text[at : at + width].strip()
            at += width
        found.append(cells)
    return found


@asynccontextmanager
async def exploring(session, library, plies=0, size=(140, 45)):
    """Run the app with the explorer on the screen, so many plies into the game."""
    async with running(session, size, library=library) as pilot:
        await press(pilot, *["n"] * plies)
        pilot.app.main.workspace.bring("explorer")
        await looked(pilot)
        yield pilot


async def filtered(pilot, text):
    """Give the explorer a filter, and wait for its answer."""
    await press(pilot, "F", *text, "enter")
    await looked(pilot)


def column_of(pilot, name="move"):
    return [row[name] for row in moves_on(pilot)]


async def test_moves_and_games_at_every_position(library):
    async with exploring(game("b2", "c1"), library) as pilot:
        # the third game is the same opening, turned
        (first,) = moves_on(pilot)
        expected = {"move": "b2 *", "red": "67%", "games": "3", "interval": "21-94%", "swap": "0%"}
        assert first.items() >= expected.items()
        assert list(first)[:4] == ["move", "red", "games", "interval"]
        assert not {"verdict", "reply"} & first.keys(), "three games are no verdict"
        assert games_on(pilot) == ["Ann - Bob", "Bob - Cy", "Dee - Ann"]
        await press(pilot, "n")
        await looked(pilot)
        assert column_of(pilot) == ["a1", "c1 *"]  # by games
        one, two = moves_on(pilot)
        assert (one["games"], one["red"]) == ("2", "100%")
        assert (two["games"], two["red"]) == ("1", "0%")
        assert "swap" not in one
        assert "Best line (1 game)  c1 a1 c3" in shown(pilot)
        await give_focus(pilot, pilot.app.main.query_one("#explored-moves"))
        await press(pilot, *"sss")  # Red's share, the rank, the year
        assert column_of(pilot) == ["c1 *", "a1"]
        assert pilot.app.records.session.node.ply == 1  # and nobody swapped
        await pilot.click("#explored-moves", offset=(16, 0))
        assert column_of(pilot) == ["a1", "c1 *"]


@pytest.mark.parametrize(("size", "date"), [((80, 24), "2019"), ((140, 45), "2019-05-01")])
async def test_games_and_results_have_room_on_any_screen(library, size, date):
    async with exploring(game("b2"), library, size=size) as pilot:
        (line,) = [line for line in shown(pilot).splitlines() if "Ann - Bob" in line]
        assert line.split("Bob")[1].split()[:4] == [date, "Red", "won", "3"]
        assert " 67% " in shown(pilot)
        assert "loses?" not in shown(pilot)


async def test_moves_are_shown_in_the_orientation_of_the_board(library):
    async with exploring(game("d4"), library, 1) as pilot:
        assert set(column_of(pilot)) == {"c5", "e5"}


async def test_enter_plays_a_move_and_opens_a_game_and_arrows_go_between_the_lists(library):
    async with exploring(game(), library) as pilot:
        records = pilot.app.records
        await give_focus(pilot, pilot.app.main.query_one("#explored-moves"))
        await press(pilot, "enter")
        assert records.session.node.ply == 1
        await looked(pilot)
        await press(pilot, "down", "down")
        assert pilot.app.focused.id == "explored-games"
        await press(pilot, "down", "enter")
        await until(pilot, lambda: records.session.name == "Bob - Cy")
        assert records.session.node.ply == 1
        assert len(records.sessions) == 2
        await press(pilot, "left_curly_bracket")
        assert records.session.name == "untitled"
        await give_focus(pilot, pilot.app.main.query_one("#explored-games"))
        await press(pilot, *["up"] * 3)
        assert pilot.app.focused.id == "explored-moves"


async def test_a_proof_outranks_the_results_on_file_but_not_where_the_move_may_be_swapped(library):
    async with exploring(game("b2", "c1"), library) as pilot:
        workspace, cell = pilot.app.main.workspace, game().board.cell

        async def proved(**winners):
            proofs = {cell(name): Verdict(VerdictKind.SOLVER, w) for name, w in winners.items()}
            workspace.verdicts.prove_moves(workspace.session.position, proofs)
            workspace.changed(Change.LIBRARY)
            await settle(pilot)

        await proved(b2=Color.BLACK)
        assert "verdict" not in moves_on(pilot)[0]
        await press(pilot, "n")
        await looked(pilot)
        await proved(a1=Color.WHITE, c1=Color.BLACK)
        assert column_of(pilot, "verdict") == ["wins, proved", "loses, proved"]
        assert "reply" not in moves_on(pilot)[0]
        await give_focus(pilot, pilot.app.main.query_one("#explored-moves"))
        await pilot.click("#explored-moves", offset=(7 + 8 + 7 + 9, 0))
        assert column_of(pilot) == ["a1", "c1 *"]


async def test_what_is_certain_in_the_library_is_no_proof(tmp_path):
    path = made(tmp_path, "(;GM[11]SZ[3]RE[B+];B[a1];W[b3];B[a2];W[c3];B[a3])")
    session = game("a1", "b3", "a2", "c3", side=3)
    async with exploring(session, path, 4) as pilot:
        workspace = pilot.app.main.workspace
        assert column_of(pilot, "verdict") == ["wins, certain"]
        assert workspace.verdicts.of(session.position) is None
        assert pilot.app.main.board.view.verdicts == {}
        (line,) = pilot.app.main.query_one("#explored-moves").lines
        assert [style for text, style in line.spans if "wins" in text] == [PLAIN]


async def test_what_is_forged_in_a_library_reaches_nothing_else(tmp_path):
    path = made(tmp_path, "(;GM[11]SZ[3]RE[B+];B[a1];W[b3];B[a2];W[c3];B[a3])" * 2)
    with Library(path) as library:
        library.settle(1, {2: False, 3: True}, 1000)
    session = game("a1", "b3", "a2", "c3", side=3)
    async with exploring(session, path, 2) as pilot:
        workspace = pilot.app.main.workspace
        assert column_of(pilot, "verdict") == ["loses, certain"]
        assert workspace.verdicts.of(session.position) is None
        assert workspace.survey.estimates.claims(session.position) == ()
        assert pilot.app.main.board.view.verdicts == {}
        assert "Blue wins" not in shown(pilot)


@pytest.mark.parametrize(("width", "name"), [(38, "1896021"), (60, "1896021 (human_11x11)")])
def test_a_game_without_players_is_not_cut_in_its_name(width, name):
    row = GameRow(
        1, Board(5, 5), "", "", "", "1896021", "2020", Color.WHITE, "", 9, "/x/human_11x11.sgf", 4
    )
    text = row_text(GameColumns(width, (row,)).line(row))
    assert text.startswith(name)
    assert len(text) <= width


SIX_LOST, LOSING = GameCounts(6, 0, 6), Value(winning=False, certain=False, moves=14)


def on_file(won=None, games=SIX_LOST, value=LOSING):
    """Return a move of Red of which there is something to say in every column."""
    move = ExploredMove(
        Board(5, 5), Move.play(3), (), games.games, games.black_wins, games.white_wins, value, 2019,
        GameCounts(), Move.play(7), swapped=2, everywhere=games,
    )  # fmt: skip
    return ShownMove(move, None, None, DARK, won)


def test_a_verdict_without_room_is_left_out():
    assert list(MoveColumns(27, "games", (on_file(),)).widths) == ["move", "red", "games"]


@pytest.mark.parametrize("width", range(30, 80))
def test_columns_are_left_out_whole_and_the_first_never(width):
    columns = MoveColumns(width, "games", (on_file(),))
    assert sum(columns.widths.values()) <= max(width, 31)
    assert {"move", "games", "red", "verdict"} <= columns.widths.keys()
    title = "".join(text for text, _ in columns.heading)
    assert len(title) == sum(columns.widths.values())
    assert columns.order_at(8) == "red"
    assert columns.order_at(width + 20) is None


@pytest.mark.parametrize("width", range(30, 80))
@pytest.mark.parametrize("won", [None, True])
def test_what_no_proof_says_is_muted_and_never_without_its_games(width, won):
    move = on_file(won)
    spans = MoveColumns(width, "games", (move,)).line(move).spans
    told = [(text.strip(), style) for text, style in spans if "wins" in text or "loses" in text]
    assert all(style == (BOLD if won else DIM) for _, style in told)
    assert [text.split(",")[0] for text, _ in told] == ["wins" if won else "loses?"]
    assert "6      " in "".join(text for text, _ in spans)


@pytest.mark.parametrize(
    ("games", "verdict"),
    [
        (GameCounts(272, 150, 122), ""),
        (GameCounts(1, 0, 1), ""),
        (GameCounts(4, 0, 4), ""),
        (GameCounts(5, 0, 5), "loses?, 5 games"),
        (GameCounts(6, 1, 5), ""),
        (GameCounts(9, 0, 6), "loses?, 6 games"),
        (GameCounts(6, 6, 0), ""),  # they contradict the value
    ],
)
def test_a_verdict_rests_on_five_games_that_agree(games, verdict):
    assert on_file(games=games).evidence == verdict
    shown_move = on_file(games=games)
    assert bool(shown_move.texts["reply"]) == bool(verdict)
    assert on_file(won=False, games=games).evidence == "loses, proved"
    assert on_file(value=replace(LOSING, certain=True), games=games).evidence == "loses, certain"


def test_moves_sorted_by_verdict_stand_between_wins_and_losses_without_one():
    wins = on_file(games=GameCounts(7, 7, 0), value=replace(LOSING, winning=True))
    unknown, loses = on_file(games=GameCounts(2, 1, 1)), on_file()
    assert sorted([loses, unknown, wins], key=ORDERS["verdict"]) == [wins, unknown, loses]


async def test_filters(library):
    async with exploring(game("b2"), library) as pilot:
        await filtered(pilot, "ann date=2019")
        assert games_on(pilot) == ["Ann - Bob"]
        assert moves_on(pilot)[0]["games"] == "1"
        await filtered(pilot, "nobody")
        head, line = (pilot.app.main.query_one(f"#explored-{part}") for part in ("head", "line"))
        await until(pilot, lambda: "No games here" in str(head.content))
        assert str(head.content) == "No games here, nobody"
        assert str(line.content) == "Press F and clear the line to count all games"
        await press(pilot, "F", *" cup=x", "enter")
        assert "not one of player" in shown(pilot)
        await press(pilot, "escape", "n")
        await filtered(pilot, "least=2")
        assert column_of(pilot) == ["a1"]
        assert "3 games, least=2, 1 move hidden" in shown(pilot)


async def test_a_first_move_and_the_same_stone_that_was_swapped(tmp_path):
    games = "(;GM[11]SZ[5]RE[B+];B[b1];W[c3])(;GM[11]SZ[5]RE[B+];B[b1];W[swap-pieces];B[c3])" * 2
    library = made(tmp_path, games.replace("W[c3]", "W[d4]", 1))
    async with exploring(game("b1", "d4"), library, 1, (80, 24)) as pilot:
        assert "3 games; with the swap decided: 1" in shown(pilot)
        await press(pilot, "n")
        await looked(pilot)
        assert "with the swap" not in shown(pilot)


async def test_results_that_contradict_each_other_are_told(library, tmp_path):
    (tmp_path / "other.sgf").write_text("(;GM[11]SZ[5]PB[Eve]PW[Flo]RE[W+R];B[b2];W[a1];B[c3])")
    with Library(library) as known:
        assert known.import_paths([tmp_path / "other.sgf"]).contradicting == 1
    async with exploring(game("b2", "a1", "c3"), library, 2, (80, 24)) as pilot:
        found = [(row["move"], row["verdict"]) for row in moves_on(pilot)]
        assert found == [("c3 *", "!"), ("e1", "")]
        assert "3 games (!: results contradict)" in shown(pilot)
        await press(pilot, "n")
        await looked(pilot)
        assert "2 games, 2 end here!" in shown(pilot)
        assert "Contradicting: Red won 1, Blue won 1" in shown(pilot)
        await filtered(pilot, "results=contradicting")
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
    async with exploring(game(), None) as pilot:
        assert "it is disabled" in shown(pilot)
    broken = tmp_path / "library.sqlite"
    async with exploring(game(), broken) as pilot:
        assert "No games here" in shown(pilot)
        assert not broken.exists()
    broken.write_text("nonsense" * 1000)
    async with exploring(game(), broken) as pilot:
        assert "cannot be read" in shown(pilot)


@pytest.mark.parametrize("width", [38, 44, 60, 90])
def test_a_column_of_which_no_row_has_anything_leaves_its_room_to_others(width):
    row = GameRow(1, Board(5, 5), "Ann", "Bob", "", "", "", Color.BLACK, "", 9, "/x/games.sgf", 1)
    dated = replace(row, date="2019-05-01")
    bare, whole = GameColumns(width, (row, row)), GameColumns(width, (row, dated))
    told, full = ([text for text, _ in columns.heading] for columns in (bare, whole))
    assert "date" not in told
    assert "year" not in told
    assert "date" in full or "year" in full
    assert bare._name >= whole._name
    assert "2019" in row_text(whole.line(dated))
    for columns in (bare, whole):
        assert len(row_text(columns.line(dated)).rstrip()) < width


@pytest.mark.parametrize("width", range(26, 80))
def test_columns_of_games_fit_beside_the_scroll_bar(width):
    names = "Wilhelmina Featherstonehaugh", "Konstantinos Papadopoulos"
    row = GameRow(
        1, Board(5, 5), *names, "", "", "2019-05-01", Color.WHITE, "", 121, "/x/games.sgf", 1
    )
    columns = GameColumns(width, (row,))
    assert len(row_text(columns.line(row)).rstrip()) < width
    assert sum(len(text) for text, _ in columns.heading) <= width


def test_columns_stay_below_each_other_with_names_of_wide_characters():
    row = GameRow(
        1, Board(5, 5), "漢字", "Bob", "", "", "2019", Color.WHITE, "", 9, "/x/games.sgf", 1
    )
    plain = replace(row, black="Ann")
    columns = GameColumns(60, (row, plain))
    before = [row_text(columns.line(game)).partition("2019")[0] for game in (row, plain)]
    assert len(set(map(cell_len, before))) == 1


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
