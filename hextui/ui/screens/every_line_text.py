"""The words of the screen that looks at every line: a call of `best_move`, step by step."""

import textwrap
from collections.abc import Iterator, Mapping

from hextui.engine.search.best_move import Call, CallPlace, CallStep, GameState
from hextui.engine.search.small_games import HexGame
from hextui.words.names import Names

_OUTCOMES = {1: "wins", 0: "draws", -1: "loses"}
_WIDTH = 37  # columns of the text beside the board


def tell_call(place: CallPlace, call: Call, depth: int, names: Names) -> Iterator[str]:
    """Yield the lines about a place in a call: what the steps so far have found."""
    state = place.state
    what, asked = place.step(call)
    me = _player(state, state.to_move, names)
    yield f"Depth {depth}, {me} to move"
    yield ""
    if not state.moves:
        yield f"The game is over: {_over(state, names)}."
        return
    at_once = call.best.move is not None and not call.asked
    won = f"{name_of(state, call.best.move)} does." if at_once else "None does."
    yield f"1  Does a move win at once? {won}"
    if at_once:
        if what is CallStep.RETURN:
            yield from _returned(state, call)
        return
    yield "2  The best reply to each move:" if asked else ""
    for number, one in enumerate(call.asked[:asked], start=1):
        move, mark = name_of(state, one.move), ">" if number == asked else " "
        if number == asked and what is CallStep.ASK:
            yield f"{mark}  {move:<11} asking ..."
            continue
        reply = "is over" if one.reply.move is None else _reply(state, one.move, one.reply.move)
        looked = f"{one.positions:,}"
        yield f"{mark}  {move:<11} {reply:<11} {_OUTCOMES[one.score]:<5} {looked:>5}"
    if what is CallStep.RETURN:
        yield from _returned(state, call)


def tell_scores(state: GameState, scores: Mapping[int, int]) -> Iterator[str]:
    """Yield the scores of all moves, those that win first."""
    yield "All moves"
    for score, word in _OUTCOMES.items():
        names = " ".join(name_of(state, move) for move, s in scores.items() if s == score)
        if names:
            yield textwrap.fill(
                names, _WIDTH, initial_indent=f"{word:<7}", subsequent_indent=" " * 7,
                break_on_hyphens=False,
            )  # fmt: skip


def name_of(state: GameState, move: int | None) -> str:
    """Return the name of a move, ``-`` for none."""
    return "-" if move is None else state.move_name(move)


def _reply(state: GameState, move: int, reply: int) -> str:
    return name_of(state.play(move), reply)


def _returned(state: GameState, call: Call) -> Iterator[str]:
    yield f"Returns {name_of(state, call.best.move)}: {_OUTCOMES[call.best.score]}"


def _over(state: GameState, names: Names) -> str:
    if state.winner is None:
        return "a draw"
    return f"{_player(state, state.winner, names)} has won"


def _player(state: GameState, player: int, names: Names) -> str:
    return names.player(player) if isinstance(state, HexGame) else state.player_name(player)
