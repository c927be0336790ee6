"""What an engine has answered to the end, so that stepping back in a game is instant."""

from collections import OrderedDict
from dataclasses import replace
from typing import Any

from hextui.engines.attached.examining import Examine, Examined
from hextui.engines.questions import Question

MOST_KEPT = 100
"""Answers: of the largest boards a few megabytes."""


class KeptAnswers:
    """The last answers, by question; any thread may use it."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Examine, Examined] = OrderedDict()

    def get(self, question: Question[Any]) -> Examined | None:
        """Return the answer to a question, unless it is to be asked again, or chooses a move."""
        if not isinstance(question, Examine) or question.again or question.choose:
            return None
        return self._kept.get(question)

    def put(self, question: Examine, answer: Examined) -> None:
        """Keep an answer; the oldest goes."""
        if not question.choose:
            self._kept[replace(question, again=False)] = answer
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
