"""Networks of other programs in ONNX files, run by onnxruntime.

Read are files of HexHex (docs/network.md#networks-of-other-programs). A file is data of a stranger:
it is read into memory, and may neither name other files nor bring operators of its own.
"""

import hashlib
import os
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from hextui.engine.board import MAX_SIDE, Board
from hextui.engine.kernels.neural import BOTH, TURNED
from hextui.engine.neural.judge import Floats, NetworkFileError, NetworkJudge, Stones
from hextui.locations import named_path, open_file

EXTRA = "onnx"
MOST_BYTES = 256 << 20
_STRETCH = 0.4  # of the best move's logit, as the logit of a win: these networks are too sure
_NO_FOLDER = os.devnull  # where weights outside the file are looked for


class OnnxJudge(NetworkJudge):
    """A network of HexHex: stones and edges in, a logit for each move out, for one board size.

    The win probability is that of the best move.
    """

    def __init__(self, name: str, data: bytes) -> None:
        """Read a model; ``name`` is that of its file. Raises NetworkFileError."""
        self.name = name
        self.digest = hashlib.sha256(data).hexdigest()
        self._session = _session(name, data)
        self._side = _side_of(name, self._session)
        self.only_board = Board(self._side)
        self._input = self._session.get_inputs()[0].name

    def logits(self, stones: Stones, sides: Stones) -> tuple[Floats, Floats]:
        """See `NetworkJudge.logits`."""
        count, rows, columns = stones.shape
        logits = np.empty((count, rows * columns), np.float32)
        for number, (board, side) in enumerate(zip(stones, sides, strict=True)):
            logits[number] = self._of_board(_planes(board), side)
        taken = stones.reshape(count, -1) != 0
        best = np.where(taken, -np.inf, logits).max(axis=1)
        return logits, np.where(np.isfinite(best), best * np.float32(_STRETCH), 0)

    def _of_board(self, planes: Floats, side: int) -> Floats:
        """Return the logits of a board's cells, seen upright, turned by 180 degrees, or both."""
        if side == TURNED:
            return self._run(planes[:, ::-1, ::-1])[::-1]
        upright = self._run(planes)
        if side != BOTH:
            return upright
        turned: Floats = self._run(planes[:, ::-1, ::-1])[::-1]
        return (upright + turned) / np.float32(2)

    def _run(self, planes: Floats) -> Floats:
        given = {self._input: np.ascontiguousarray(planes)[None]}
        try:
            (answer,) = self._session.run(None, given)
        except Exception as error:  # whatever the model's operators do
            raise NetworkFileError(f"{self.name} fails: {_first_line(error)}") from None
        row: Floats = np.asarray(answer, np.float32).reshape(-1)
        if len(row) != self._side * self._side or not np.isfinite(row).all():
            raise NetworkFileError(f"{self.name} gives no number for some cell")
        return row


def _planes(stones: Stones) -> Floats:
    """Return the mover's and the opponent's stones with a border of their edges' stones."""
    rows, columns = stones.shape
    planes = np.zeros((2, rows + 2, columns + 2), np.float32)
    planes[0, 1:-1, 1:-1] = stones == 1
    planes[1, 1:-1, 1:-1] = stones == 2
    planes[0, [0, -1], 1:-1] = 1
    planes[1, 1:-1, [0, -1]] = 1
    return planes


def _session(name: str, data: bytes) -> Any:
    """Return a session of onnxruntime for a model, on one thread, that prints nothing."""
    import onnxruntime  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.add_session_config_entry(
        "session.model_external_initializers_file_folder_path", _NO_FOLDER
    )
    try:
        return onnxruntime.InferenceSession(data, options, ["CPUExecutionProvider"])
    except Exception as error:  # a class of its own for each cause
        raise NetworkFileError(f"{name} is not a network: {_first_line(error)}") from None


def _side_of(name: str, session: Any) -> int:
    """Return the rows of the board that a model is for; raises NetworkFileError if it has none."""
    inputs = session.get_inputs()
    outputs = session.get_outputs()
    problem = "it has several inputs or outputs"
    if len(inputs) == len(outputs) == 1:
        shape = inputs[0].shape
        problem = f"its input {shape} is not [1, 2, rows + 2, rows + 2]"
        if inputs[0].type == "tensor(float)" and len(shape) == 4 and shape[1] == 2:
            side = shape[2] - 2 if isinstance(shape[2], int) else 0
            if shape[2] == shape[3] and 1 <= side <= MAX_SIDE:
                return side
    raise NetworkFileError(f"{name} is not a network of HexHex: {problem}")


def _first_line(error: Exception) -> str:
    line = str(error).strip().partition("\n")[0]
    return line.rpartition(" : ")[2][:200] or type(error).__name__


def onnx_judge(file: str) -> OnnxJudge:
    """Return the judge with the network of a file, which is read again if it has changed.

    Raises NetworkFileError if onnxruntime is not installed, or the file cannot be used.
    """
    if find_spec("onnxruntime") is None:
        what = f"{file}: networks in ONNX files need onnxruntime: pip install 'hextui[{EXTRA}]'"
        raise NetworkFileError(what)
    path = named_path(file)
    try:
        state = path.stat()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise NetworkFileError(f"{file} cannot be read: {reason}") from None
    if state.st_size > MOST_BYTES:
        raise NetworkFileError(f"{file} is larger than {MOST_BYTES >> 20} MB")
    return _read(path, state.st_mtime_ns)


@lru_cache(4)
def _read(path: Path, changed: int) -> OnnxJudge:
    """Return the judge of a file that was last changed at a time."""
    try:
        with open_file(path) as file:
            data = file.read(MOST_BYTES)
    except OSError as error:
        raise NetworkFileError(f"{path} cannot be read: {error.strerror or error}") from None
    return OnnxJudge(path.name, data)
