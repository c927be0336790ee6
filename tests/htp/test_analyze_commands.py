"""What HexGui draws: each answer has its form, and is what the engine or an oracle says."""

import re

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import bench_at
from hextui.engine.inferior import inferior_cells
from hextui.engine.limit import Limit
from hextui.engine.oriented import connections_of
from hextui.engine.position import Position
from hextui.engine.search.lines import LineSettings
from hextui.engine.search.tree_search import TreeSearch, searched_moves
from hextui.htp.server import analyze_commands
from tests.htp.clients import InThread
from tests.oracles.winners import Exhaustive

BOARD = Board(4, 4)
POSITION = Position.parse("...W / .B.. / ..W. / B...", "black")
POINT = re.compile(r"[a-d][1-4]")
NUMBER = re.compile(r"-?(\d+(\.\d+)?([eE][+-]?\d+)?|inf)")
CONNECTION = re.compile(
    r"(black|white)( [a-d][1-4]| north| south| east| west){2} (full|semi) "
    r"(adjacency|and|or|stone) \[ ([a-d][1-4] )*\] \[ \]( [a-d][1-4])?"
)
INFERIOR = re.compile(r"f[dc][bw]|i[vd]\[[a-d][1-4]\]|x")


@pytest.fixture
def playing(client: InThread) -> InThread:
    client.done("play b b2", "play w c3", "play b a4", "play w d1")
    return client


def commands(kind: str) -> list[str]:
    """Return the menu's commands of a kind, as HexGui sends them with b2 and d2 selected."""
    found = []
    for line in analyze_commands().split("\n"):
        its, _, command = line.split("/")
        if its == kind:
            words = {"%m": "black", "%c": "black", "%p": "d2", "%P": "b2 d2"}
            found.append(" ".join(words.get(word, word) for word in command.split()))
    return found


def pairs_of(text: str) -> dict[str, str]:
    words = text.split()
    assert len(words) % 2 == 0
    return dict(zip(words[::2], words[1::2], strict=True))


def points(cells) -> list[str]:
    return [BOARD.name(cell) for cell in sorted(cells)]


@pytest.mark.parametrize("command", [*commands("plist"), *commands("var"), *commands("group")])
def test_lists_of_points(playing: InThread, command: str) -> None:
    words = playing.good(command).split()
    sides = {"north", "south"} if "connected-to" in command else set()
    assert all(POINT.fullmatch(word) or word in sides for word in words)


@pytest.mark.parametrize("command", commands("pspairs"))
def test_pairs(playing: InThread, command: str) -> None:
    found = pairs_of(playing.good(command))
    assert all(POINT.fullmatch(point) for point in found)
    if "dfpn" not in command:
        assert list(found) == points(POSITION.empties)
        assert all(NUMBER.fullmatch(value) for value in found.values())


@pytest.mark.parametrize("command", commands("gfx"))
def test_heat_is_from_0_to_1(playing: InThread, command: str) -> None:
    text = playing.good(command)
    head, _, said = text.partition(" TEXT ")
    assert head.startswith("INFLUENCE ")
    found = pairs_of(head.removeprefix("INFLUENCE "))
    assert list(found) == points(POSITION.empties)
    assert all(0 <= float(value) <= 1 for value in found.values())
    name = command.split()[1]
    assert said.startswith(f"{name}, black to move: ")
    best = float(found[said.rpartition(" ")[2]])
    assert best == max(map(float, found.values()))


@pytest.mark.parametrize("command", commands("inferior"))
def test_inferior_cells(playing: InThread, command: str) -> None:
    found = pairs_of(playing.good(command))
    assert all(POINT.fullmatch(point) for point in found)
    assert all(INFERIOR.fullmatch(mark) for mark in found.values())


@pytest.mark.parametrize("command", [*commands("string"), *commands("param"), *commands("none")])
def test_texts(playing: InThread, command: str) -> None:
    playing.good(command)


def test_values_are_the_evaluators(playing: InThread) -> None:
    bench = bench_at(POSITION)
    *_, ranking = evaluator("k-paths:1").rank(bench)
    found = pairs_of(playing.good("hextui-values k-paths:1 black"))
    assert {m.cell: f"{m.value:.6g}" for m in ranking.moves} == {
        BOARD.cell(name): value for name, value in found.items()
    }
    assert pairs_of(playing.good("eval-twod b")) == pairs_of(
        playing.good("hextui-values two-distance b")
    )
    assert pairs_of(playing.good("eval-resist-cells b")) == pairs_of(
        playing.good("hextui-values resistance b")
    )


def test_resistances(playing: InThread) -> None:
    words = playing.good("eval-resist w").split()
    res, white, black = map(float, words[1::2])
    assert words[::2] == ["res", "rew", "reb"]
    assert res == pytest.approx(white - black, abs=0.002)
    playing.done("play-game a1 d1 a2 d2 a3 d3 a4")
    assert playing.good("eval-resist w") == "res inf rew inf reb -inf"


def test_inferior_cells_and_the_must_play_region_are_the_engines(playing: InThread) -> None:
    cells = inferior_cells(POSITION)
    found = pairs_of(playing.good("compute-inferior b"))
    assert {BOARD.cell(point) for point in found} == cells.rules.numbers.keys()
    assert {p for p, mark in found.items() if mark[:2] == "iv"} == set(
        points(cells.vulnerable.numbers)
    )
    fill = pairs_of(playing.good("compute-fillin b"))
    assert fill == {point: mark for point, mark in found.items() if mark[0] == "f"}
    region = connections_of(POSITION, Color.WHITE).must_play
    assert playing.good("hextui-mustplay b").split() == points(region)
    built = pairs_of(playing.good("vc-build b"))
    outside = set(points(set(POSITION.empties) - region))
    assert set(built) == outside | set(found)


def test_connections_are_the_engines(playing: InThread) -> None:
    table = connections_of(POSITION, Color.BLACK)
    stone, south = BOARD.cell("b2"), table.second_edge
    for kind in ("full", "semi"):
        lines = playing.good(f"vc-between-cells-{kind} b b2 south").split("\n")[1:]
        wanted = [c for c in table.between(stone, south) if c.kind == kind]
        assert len(lines) == len(wanted)
        for line, connection in zip(lines, wanted, strict=True):
            assert CONNECTION.fullmatch(line)
            assert line.startswith(f"black b2 south {kind} ")
            carrier = line.partition("[ ")[2].partition("]")[0]
            assert carrier.split() == points(connection.cells)
            assert line.partition("] [ ]")[2].strip() == (
                "" if connection.key_cell is None else BOARD.name(connection.key_cell)
            )
        carriers = [c.cells for c in wanted]
        common = frozenset.intersection(*carriers) if carriers else frozenset()
        assert playing.good(f"vc-intersection-{kind} b b2 bottom").split() == points(common)
        every = frozenset().union(*carriers)
        assert playing.good(f"vc-union-{kind} b b2 bottom").split() == points(every)
    ends = {e for c in table if c.kind == "full" and stone in c.nodes for e in c.nodes}
    sides = {table.first_edge: "north", table.second_edge: "south"}
    wanted_ends = [sides.get(e) or BOARD.name(e) for e in sorted(ends - {stone})]
    assert playing.good("vc-connected-to-full b b2").split() == wanted_ends


def test_a_group_goes_by_any_of_its_stones(client: InThread) -> None:
    client.done("play b b2", "play b b3")
    first, second = (client.good(f"vc-connected-to-full b {c}") for c in ("b2", "b3"))
    assert first == second != ""


def test_the_solver_is_right(playing: InThread) -> None:
    oracle = Exhaustive(BOARD)
    for color in Color:
        position = POSITION.with_to_move(color)
        winner = oracle.winner(position)
        wins = oracle.winning_moves(position)
        playing.done("dfpn-clear-tt")
        assert playing.good(f"dfpn-solve-state {color}") == str(winner)
        assert playing.good(f"dfpn-solver-find-winning {color}").split() == points(wins)
        line = playing.good(f"dfpn-get-pv {color}").split()
        if winner is color and wins != set(position.empties):
            assert line[0] in points(wins)
        for point, bound in pairs_of(playing.good(f"dfpn-get-bounds {color}")).items():
            if bound in ("W", "L"):
                assert (BOARD.cell(point) in wins) == (bound == "W")
        assert f"winner {winner}" in playing.good(f"dfpn-get-state {color}")


def test_a_cleared_table_is_empty(client: InThread) -> None:
    client.done("boardsize 6 6", "play black a3", "play white b2")
    before = client.good("dfpn-get-bounds black")
    client.good("dfpn-solve-state black")
    assert client.good("dfpn-get-bounds black") != before
    client.done("dfpn-clear-tt")
    assert client.good("dfpn-get-bounds black") == before


def test_moves_that_are_proved_to_win_are_played(playing: InThread) -> None:
    wins = Exhaustive(BOARD).winning_moves(POSITION)
    assert playing.good("reg_genmove b") in points(wins)
    assert playing.good("hextui-pv resistance b").split()[0] in points(wins)
    assert playing.good("genmove b") in points(wins)
    assert len(playing.good("all_legal_moves").split()) == 11


def test_lines_are_shown_as_they_improve(playing: InThread) -> None:
    text = playing.good("gogui-gfx-analyze black")
    assert playing.blocks
    for block in playing.blocks:
        head, kind, infos = block.split("\n")
        assert (head, kind) == ("gogui-gfx:", "kata")
        for info in infos.split("info ")[1:]:
            before, _, line = info.strip().partition(" pv ")
            fields = pairs_of(before)
            assert {"move", "visits", "winrate", "scoreLead", "order"} == fields.keys()
            assert 0 <= float(fields["winrate"]) <= 1
            assert line.split()[0] == fields["move"]
    assert re.fullmatch(r"black: [a-d][1-4].*", text)


def test_lines_are_those_of_the_search_that_plays(client: InThread) -> None:
    client.done("boardsize 6", "play b a6", "param_hextui player search:visits=60")
    client.good("gogui-gfx-analyze white")
    fields = [pairs_of(info.partition(" pv ")[0]) for info in client.blocks[-1].split("info ")[1:]]
    position = Position.empty(Board(6, 6)).play("a6")
    found = searched_moves(TreeSearch(position.board), position, Limit(visits=60))
    assert [(f["move"], int(f["visits"]), float(f["winrate"])) for f in fields] == [
        (position.board.name(move.cell), move.visits, round(move.value, 4))
        for move in found[: LineSettings().count]
    ]


def test_the_solver_shows_what_it_does(client: InThread) -> None:
    client.done("boardsize 6", "param_dfpn use_guifx 1", "play b a6")
    assert client.good("dfpn-solve-state white") in ("black", "white")
    head, kind, var, label, text = client.blocks[0].split("\n")
    assert (head, kind) == ("gogui-gfx:", "dfpn")
    assert re.fullmatch(r"VAR( W [a-f][1-6])?", var)
    labels = pairs_of(label.removeprefix("LABEL "))
    assert all(re.fullmatch(r"\d+@@\d+|W|L", bound) for bound in labels.values())
    assert re.fullmatch(r"TEXT \d+/35 proven losses, var: ([a-f][1-6])?", text)
