"""Networks in ONNX files: what they say, in every orientation, and files that are none."""

import json
import random
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from hextui.commands import main
from hextui.engine.board import Board, Color
from hextui.engine.evaluators import evaluator
from hextui.engine.limit import Limit
from hextui.engine.neural.judge import NetworkFileError, shipped_judge
from hextui.engine.neural.onnx_judge import onnx_judge
from hextui.engine.position import Position
from hextui.engine.search.tree_search import TreeSearch, searched_moves
from hextui.engines.registry import described, player
from tests.engine.positions import bench_at, images, played

SIDE = 4
BOARD = Board(SIDE)
RNG = random.Random(5)
POSITIONS = [played(BOARD, RNG, RNG.randrange(8)) for _ in range(8)]
WEIGHTS = np.random.default_rng(3).normal(size=(1, 2, 3, 3)).astype(np.float32)
BIAS = np.random.default_rng(4).normal(size=SIDE * SIDE).astype(np.float32)


def saved(path: Path, *, side: int = SIDE, planes: int = 2, operator: str = "Conv") -> str:
    """Write a network of one convolution, like HexHex's with no blocks; return its file."""
    cells = side * side
    domain = "" if operator == "Conv" else "of.nobody"
    nodes = [
        helper.make_node(operator, ["planes", "weights"], ["rows"], domain=domain),
        helper.make_node("Reshape", ["rows", "flat"], ["row"]),
        helper.make_node("Add", ["row", "bias"], ["logits"]),
    ]
    shape = [1, planes, side + 2, side + 2]
    graph = helper.make_graph(
        nodes,
        "toy",
        [helper.make_tensor_value_info("planes", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, cells])],
        [
            numpy_helper.from_array(np.resize(WEIGHTS, (1, planes, 3, 3)), "weights"),
            numpy_helper.from_array(np.array([1, cells]), "flat"),
            numpy_helper.from_array(np.resize(BIAS, cells), "bias"),
        ],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("of.nobody", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), path)
    return str(path)


@pytest.fixture
def file(tmp_path: Path) -> str:
    return saved(tmp_path / "toy.onnx")


def logits_of(position: Position) -> dict[int, float]:
    """Return the logits of the empty cells, computed cell by cell from what HexHex documents."""
    board = position.board
    mover = position.to_move

    def owner(row: int, column: int) -> Color | None:
        """Return whose stone or edge is at a place, as if the mover joined top and bottom."""
        if mover is Color.WHITE:
            row, column = column, row
        beside = not 0 <= column < SIDE
        beyond = not 0 <= row < SIDE
        if beside or beyond:
            return None if beside and beyond else (Color.WHITE if beside else Color.BLACK)
        stone = position.stones[row * SIDE + column]
        return Color(stone) if stone else None

    def answer(turned: bool) -> dict[int, float]:
        found = {}
        for cell in range(board.cells):
            row, column = divmod(cell, SIDE)
            total = float(BIAS[cell])
            for plane, color in enumerate((mover, mover.opponent)):
                for down in range(3):
                    for right in range(3):
                        at = row + down - 1, column + right - 1
                        if turned:
                            at = SIDE - 1 - at[0], SIDE - 1 - at[1]
                        if owner(*at) is color:
                            total += float(WEIGHTS[0, plane, down, right])
            seen = board.cells - 1 - cell if turned else cell
            if mover is Color.WHITE:
                seen = seen % SIDE * SIDE + seen // SIDE
            found[seen] = total
        return found

    upright, turned = answer(False), answer(True)
    return {cell: (upright[cell] + turned[cell]) / 2 for cell in position.empties}


@pytest.mark.parametrize("position", POSITIONS)
def test_a_network_says_what_its_weights_say(file: str, position: Position) -> None:
    logits = logits_of(position)
    policy, win = onnx_judge(file).judge([position])
    powers = {cell: np.exp(logit) for cell, logit in logits.items()}
    for cell in position.empties:
        assert policy[0, cell] == pytest.approx(powers[cell] / sum(powers.values()), rel=1e-4)
    best = max(logits.values())
    assert win[0] == pytest.approx(1 / (1 + np.exp(-0.4 * best)), rel=1e-4)


@pytest.mark.parametrize("one_side", [False, True])
@pytest.mark.parametrize("position", POSITIONS)
def test_a_network_is_alike_in_every_orientation(
    file: str, position: Position, one_side: bool
) -> None:
    judge = onnx_judge(file)
    policy, win = judge.judge([position], one_side=one_side)
    for image in images(position):
        other, its_win = judge.judge([image.position], one_side=one_side)
        assert its_win[0] == win[0]
        assert (other[0, image.cell_of] == policy[0]).all()


def test_it_ranks_moves_and_weighs_the_swap(file: str) -> None:
    chosen = evaluator(f"onnx({file})")
    assert chosen.name == evaluator(f"onnx:{file}").name == f"onnx({file})"
    position = Position.empty(BOARD).play("b2").play("c3")
    *_, ranking = chosen.rank(bench_at(position))
    logits = logits_of(position)
    assert [move.cell for move in ranking.moves] == sorted(logits, key=lambda c: -logits[c])
    opening = Position.empty(BOARD).play("b2")
    *_, ranking = chosen.rank(bench_at(opening))
    assert ranking.swap is not None
    best = max(logits, key=logits.__getitem__)
    assert chosen.explained(bench_at(position), best).rank == 1


def test_the_tree_search_and_levels_ask_it(file: str) -> None:
    position = Position.empty(BOARD).play("b2")
    judge = onnx_judge(file)
    search = TreeSearch(BOARD, judge=judge)
    assert searched_moves(search, position, Limit(visits=8))
    assert search.judge is judge
    assert TreeSearch(BOARD).judge is shipped_judge()
    searching = evaluator(f"search:visits=8,network={file}")
    assert searching.name == f"search:visits=8,network={file}"
    for name in (searching.name, f"level:4,network={file}", f"onnx({file})"):
        playing = player(name)
        assert playing.name == name
        assert playing.choose(position).cell in position.empties


def test_a_ranking_is_printed(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rank", "#4,b2c3", "--evaluator", f"onnx({file})", "--json"]) == 0
    (rows,) = json.loads(capsys.readouterr().out)["evaluators"].values()
    assert len(rows) == BOARD.cells - 2


def test_a_file_that_changes_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "toy.onnx"
    before = onnx_judge(saved(path))
    assert onnx_judge(str(path)) is before
    saved(path, side=5)
    assert onnx_judge(str(path)).only_board == Board(5)


def test_results_depend_on_the_network_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "toy.onnx"
    for name in (f"onnx({path})", f"search:network={path}"):
        assert described(name) == name
        saved(path)
        before = described(name)
        saved(path, side=5)
        assert before.startswith(f"{name} ")
        assert described(name) != before
        path.unlink()


def refused(file: str) -> str:
    with pytest.raises(NetworkFileError) as caught:
        onnx_judge(file).judge([Position.empty(BOARD)])
    line = str(caught.value)
    assert "\n" not in line
    return line


def test_what_is_no_network_costs_one_line(tmp_path: Path) -> None:
    path = tmp_path / "some.onnx"
    assert refused(str(path)) == f"{path} cannot be read: No such file or directory"
    assert refused(str(tmp_path)).startswith(f"{tmp_path} cannot be read: ")
    for data in (b"", b"(;GM[11]SZ[5])", bytes(range(256)) * 9):
        path.write_bytes(data)
        assert refused(str(path)).startswith("some.onnx is not a network")
    assert refused(saved(path, planes=3)).startswith(
        "some.onnx is not a network of HexHex: its input"
    )
    assert refused(saved(path, side=20)).startswith(
        "some.onnx is not a network of HexHex: its input"
    )
    assert refused(saved(path, side=5)) == "some.onnx is for 5x5, not for 4x4"
    assert "of.nobody" in refused(saved(path, operator="Strange"))


def test_a_network_may_not_read_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(tmp_path / "whole.onnx")
    model = onnx.load(tmp_path / "whole.onnx")
    onnx.save(
        model, tmp_path / "parted.onnx", save_as_external_data=True, location="w", size_threshold=0
    )
    assert (tmp_path / "w").exists()
    monkeypatch.chdir(tmp_path)
    assert refused(str(tmp_path / "parted.onnx")).startswith("parted.onnx is not a network: ")


def test_what_is_no_number_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "BIAS", np.full(SIDE * SIDE, np.nan, np.float32))
    line = refused(saved(tmp_path / "nan.onnx"))
    assert line == "nan.onnx gives no number for some cell"


def test_without_onnxruntime_the_line_says_what_to_install(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hextui.engine.neural.onnx_judge.find_spec", lambda name: None)
    assert refused(file).endswith("need onnxruntime: pip install 'hextui[onnx]'")
