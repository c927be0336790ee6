"""Frames: what goes in comes out, bad ones are refused, and nothing in them needs numba."""

import contextlib
import io
import pickle
import random
import subprocess
import sys
from dataclasses import replace

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search.lines import LineSettings
from hextui.engine.search.move_scope import scope_of
from hextui.engine.search.small_games import HexGame
from hextui.engines import messages, questions
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.engine import Answer, Done, Failed
from hextui.engines.limits import SolverBudget
from hextui.engines.messages import Ask, CloseLane, GiveUp, QuestionEvent

POSITION = Position(Board(3, 4), bytes([0, 1, 2, 0, 0, 1, 0, 2, 0, 0, 0, 0]), Color.WHITE)
LINES = LineSettings((2, 0), 3)
SCOPE = scope_of(POSITION.board, avoid="a1", region="a1:c3")
EVALUATORS = ("k-paths:0", "resistance", "search:visits=20")
QUESTIONS = [
    questions.Analyse(
        POSITION, EVALUATORS, "resistance", LINES, SolverBudget(5.0), True, scope=SCOPE
    ),
    questions.Judge(POSITION, ("shortest-path",)),
    questions.Explain(POSITION, "k-paths:1", 3),
    questions.ShowLinks(POSITION, 3),
    questions.Explain(POSITION, "resistance", 3),
    questions.WhoWins(POSITION, Limit(2.0, 100), True),
    questions.ShowProof(POSITION, 30.0),
    questions.Trace(POSITION, True),
    questions.LookAhead(POSITION, HexGame(POSITION)),
    questions.ListConnections(POSITION, Color.BLACK, None, 0, 5),
    questions.Premises(POSITION, Color.WHITE, 0),
    questions.JudgeOpenings(Position.empty(Board(3, 2)), Limit(visits=20)),
    questions.SearchMoves(POSITION, Limit(visits=20)),
    questions.ChooseMove(POSITION, "level:5", 1),
]
FRAMES: list[bytes] = []  # of all questions and answers so far


def told(value, number=7):
    return QuestionEvent(number, Answer(value))


def through(*frame):
    """Return what arrives of a frame."""
    file = io.BytesIO()
    messages.write(file, frame)
    FRAMES.append(file.getvalue())
    file.seek(0)
    found = messages.read(file)
    assert messages.read(file) is None
    return found


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: type(q).__name__)
def test_questions_and_all_their_answers_arrive_as_they_were(question) -> None:
    assert through(Ask(1, 2, question)) == (Ask(1, 2, question),)
    found = list(OwnAnswerer().answers(question))
    assert found
    for answer in found:
        assert through(told(answer)) == (told(answer),)


def test_reading_needs_neither_numba_nor_numpy() -> None:
    code = (
        "import hextui.engines.process, sys;"
        "from hextui.engines import messages;"
        "print(sum(1 for _ in iter(lambda: messages.read(sys.stdin.buffer), None)));"
        "print([m for m in ('numba', 'numpy', 'networkx', 'textual') if m in sys.modules])"
    )
    frames = FRAMES[:]
    out = subprocess.run(
        [sys.executable, "-c", code], input=b"".join(frames), capture_output=True, check=True
    )
    assert out.stdout.decode().split("\n")[:2] == [str(len(frames)), "[]"]


def test_the_other_messages_arrive() -> None:
    frame = (GiveUp(3), CloseLane(4), QuestionEvent(5, Done()), QuestionEvent(6, Failed("no")))
    assert through(*frame) == frame
    assert through() == ()


def test_a_board_is_the_same_object_in_every_position() -> None:
    first, second = through(told(POSITION), told(POSITION.play(0)))
    (third,) = through(told(replace(POSITION, stones=bytes(12))))
    boards = {id(found.event.value.board) for found in (first, second, third)}
    assert len(boards) == 1


def test_what_a_position_has_worked_out_stays_behind() -> None:
    plain = len(messages.encoded([POSITION]))
    assert POSITION.groups
    assert POSITION.empties
    assert len(messages.encoded([POSITION])) == plain


def test_a_step_of_a_proof_takes_few_bytes() -> None:
    centre = Position.empty(Board(5, 5)).play("c3")
    *_, proof = OwnAnswerer().answers(questions.ShowProof(centre, 30.0))
    (leaf,) = proof.nodes
    assert len(leaf.steps) > 10
    assert through(told(proof)) == (told(proof),)
    assert len(messages.encoded([proof])) < len(pickle.dumps(proof)) * 0.8


def test_a_frame_that_was_cut_short_is_the_end() -> None:
    file = io.BytesIO()
    messages.write(file, [GiveUp(2), GiveUp(1)])
    whole = file.getvalue()
    for length in range(len(whole)):
        assert messages.read(io.BytesIO(whole[:length])) is None


def test_broken_frames_raise_nothing_but_value_errors() -> None:
    rng = random.Random(1)
    good = messages.encoded([told(POSITION), QuestionEvent(7, Done())])
    for _ in range(300):
        data = bytearray(good)
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        with contextlib.suppress(ValueError):
            messages.decoded(bytes(data))


@pytest.mark.parametrize(
    "name",
    [
        *("subprocess Popen", "os system", "builtins eval", "hextui.children python_command"),
        *("hextui.engines.process EngineProcess", "hextui.engines.messages pickle.loads"),
        *("hextui.engines.host end", "hextui.engines.messages IO", "hextui.records.sgf x"),
        *("hextui.engines.engine Lane", "hextui.engines.messages dataclass"),
    ],
)
def test_nothing_but_values_is_read(name: str) -> None:
    module, thing = name.split()
    data = b"\x80\x04" + pickle.SHORT_BINUNICODE + bytes([len(module)]) + module.encode()
    data += pickle.SHORT_BINUNICODE + bytes([len(thing)]) + thing.encode() + b"\x93."
    with pytest.raises(ValueError, match="does not belong here"):
        messages.decoded(data)
