"""Stepping through `best_move`: what a call does, one step after the other, and the calls inside.

A call remembers nothing of others (see ``best_move``), so a walk asks for each call it enters and
never needs the whole run.
"""

import enum
from dataclasses import dataclass, field

from hextui.engine.search.best_move import Call, GameState


class CallStep(enum.Enum):
    """What happens in a step of a call."""

    BEGIN = enum.auto()
    """Step 1: every move is tried, whether it wins at once."""
    ASK = enum.auto()
    """Step 2: a move is made, and the opponent's best reply is asked for."""
    HEAR = enum.auto()
    """The reply has come, and with it the score of the move."""
    RETURN = enum.auto()
    """The call returns its best move."""


@dataclass(frozen=True)
class CallPlace:
    """A place in a call: its state, and the step; -1 is the last one, whatever its number."""

    state: GameState
    at: int = 0

    def step(self, call: Call) -> tuple[CallStep, int]:
        """Return what happens here, and how many moves have been asked about so far."""
        last = 1 + 2 * len(call.asked)
        at = last if self.at < 0 else self.at
        if at == 0:
            return CallStep.BEGIN, 0
        if at == last:
            return CallStep.RETURN, len(call.asked)
        return (CallStep.ASK if at % 2 else CallStep.HEAR), (at + 1) // 2

    def moved(self, call: Call, steps: int) -> "CallPlace | None":
        """Return the place so many steps on in the same call, None outside of it."""
        last = 1 + 2 * len(call.asked)
        at = (last if self.at < 0 else self.at) + steps
        return CallPlace(self.state, at) if 0 <= at <= last else None


@dataclass
class Walk:
    """A way through a run, begun with the first call on a state.

    ``calls`` are those known so far. Where the call is not known the walk stays, until it is.
    """

    places: list[CallPlace]
    calls: dict[GameState, Call] = field(default_factory=dict)

    @property
    def state(self) -> GameState:
        """The state that the walk is at."""
        return self.places[-1].state

    @property
    def depth(self) -> int:
        """How many moves were made since the first call."""
        return len(self.places) - 1

    @property
    def call(self) -> Call | None:
        """The call that the walk is in, if it is known."""
        return self.calls.get(self.state)

    def into(self, steps: int) -> None:
        """Go one step on (1) or back (-1), into the calls inside."""
        call = self.call
        if call is None:
            return
        what, asked = self.places[-1].step(call)
        if what is not (CallStep.ASK if steps > 0 else CallStep.HEAR):
            self.over(steps)
            return
        if steps < 0:
            self.over(-1)  # to where the question was asked
        inside = self.state.play(call.asked[asked - 1].move)
        self.places.append(CallPlace(inside, 0 if steps > 0 else -1))

    def over(self, steps: int) -> None:
        """Go one step on (1) or back (-1) in the same call, or out of it."""
        call = self.call
        if call is None:
            return
        place = self.places[-1].moved(call, steps)
        if place is not None:
            self.places[-1] = place
        elif self.depth:
            self.places.pop()
            if steps > 0:
                self.over(1)

    def to(self, at: int) -> None:
        """Go to the first (0) or the last (-1) step of the first call."""
        self.places[:] = [CallPlace(self.places[0].state, at)]
