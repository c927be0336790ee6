"""The engine that plays tricks, as tests ask it: its settings, what is heard, what was sent."""

import sys
from pathlib import Path

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engines.attached_engine import AttachedEngine
from hextui.engines.engine import Answer, Done, Event, Failed
from hextui.engines.engine_session import Direction
from hextui.engines.snapshot import SearchReport
from hextui.settings.engine_config import AttachedConfig, Dialect
from tests.engines.event_collector import EventCollector

SCRIPT = Path(__file__).with_name("scripted.py")
HOMEMADE = Path(__file__).with_name("homemade.py")
START = Position.empty(Board(5, 5))
PLAYED = START.play("c3").play("b2").play("d4")


def config(trick: str, file: Path | None = None, **more) -> AttachedConfig:
    words = [sys.executable, "-I", "-S", str(SCRIPT), trick, *([str(file)] if file else [])]
    htp = ("htp", "prover", "early", "unheard")
    dialect = Dialect.HTP if trick in htp else Dialect.KATA
    return AttachedConfig("scripted", tuple(words), dialect, **more)


def homemade(*habits: str, **more) -> AttachedConfig:
    """Return the settings of an engine that was written for HexGui."""
    words = (sys.executable, "-I", "-S", str(HOMEMADE), *habits)
    return AttachedConfig("homemade", words, **more)


class Heard(EventCollector):
    """What is heard of a question."""

    def __init__(self, engine: AttachedEngine, question) -> None:
        super().__init__()
        self.asked = engine.lane().ask(question, self.heard.put)

    def first(self) -> SearchReport:
        event = self.next()
        assert isinstance(event, Answer), event
        return event.value

    def rest(self) -> list[Event]:
        """Return everything up to the end."""
        return self.until(Done, Failed)


def visits(count: int) -> Limit:
    """Return a limit that the scripted engine passes with its first report, or never."""
    return Limit(visits=count)


def is_right(found: SearchReport, position: Position) -> bool:
    """Tell whether an engine spoke of a position: it tells the first empty cell and the stones."""
    stones = position.board.cells - len(position.empties)
    move = found.moves[0]
    return found.position == position and (move.cell, move.visits) == (
        position.empties[0],
        1000 + stones,
    )


def sent(engine: AttachedEngine, word: str = "") -> list[str]:
    """Return the lines sent, those with a word or all."""
    lines = [line.text for line in engine.traffic.lines(Direction.SENT)]
    return [line for line in lines if not word or word in line.split()]
