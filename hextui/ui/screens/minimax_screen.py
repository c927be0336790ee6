"""Minimax step by step: how `best_move` searches every line of Hex and of other games."""

from collections.abc import Callable, Iterator, Mapping

from textual import work

from hextui.engine.position import Position
from hextui.engine.search.best_move import Call, CallPlace, CallStep, GameState, Walk
from hextui.engine.search.small_games import GAMES, HexGame, game_called, game_names
from hextui.engines.questions import LookAhead, LookedAhead
from hextui.records.board_view import BoardView
from hextui.text import OUTCOMES, Names, counted
from hextui.ui.screens.dialogs import LineDialog
from hextui.ui.screens.step_screen import NO_STEP_YET, StepScreen, labelled, step_bindings
from hextui.ui.widgets.board_widget import BoardWidget


class MinimaxScreen(StepScreen[Position, None]):
    """Steps through the calls of `best_move` on a position, or on a state of another game."""

    BINDINGS = step_bindings([("o", "game", "Other game")])
    heading = "Every line, hex"
    _game = "hex"
    _walk: Walk | None = None
    _problem = ""  # why there is no walk
    _known: dict[GameState, LookedAhead]  # by state, since the walk began
    _asked: GameState | None = None  # the state of the open question

    def board(self) -> BoardWidget:
        return BoardWidget(BoardView(self.subject), id="board")

    def on_mount(self) -> None:
        """Show the position of the record, or why it cannot be searched."""
        try:
            self._begin("hex", HexGame.at(self.subject))
        except ValueError as error:
            self._problem = f"{error}; o: other game"
            self.show_title(self._problem)

    def _begin(self, game: str, state: GameState) -> None:
        self._game = game
        self._walk = Walk([CallPlace(state)])
        self._known = {}
        self.heading = f"Every line, {game}"
        self.show_step()

    def show_step(self) -> None:
        """Show the place of the walk; ask for its call if it is not known."""
        walk = self._walk
        if walk is None:
            return
        state = walk.state
        place = walk.places[-1]
        self._show_board(state)
        self._show_visited(walk)
        answer = self._known.get(state)
        scores = answer.scores if answer else None
        diagram = "" if isinstance(state, HexGame) else f"{state}\n\n"
        if walk.call is None:
            self.show_text(f"{diagram}Depth {walk.depth}\n\nSearching ...")
        else:
            lines = list(call_lines(place, walk.call, walk.depth, self.names))
            if scores:
                lines += ["", *score_lines(state, scores)]
            self.show_text(diagram + "\n".join(lines))
        if scores is None and self._asked != state:
            self._asked = state
            self.ask(LookAhead(self.subject, state))

    def _show_visited(self, walk: Walk) -> None:
        """Show in the title how many positions the first call has visited."""
        first = self._known.get(walk.places[0].state)
        if first is None or first.call is None:
            so_far = first.positions if first else 0
            self.show_title(f"{counted(so_far, 'position')} visited so far")
        else:
            self.show_title(f"{counted(first.call_positions, 'position')} visited")

    def _show_board(self, state: GameState) -> None:
        board = self.query_one(BoardWidget)
        board.display = isinstance(state, HexGame)
        if not isinstance(state, HexGame):
            return
        move, walk = None, self._walk
        if walk is not None and walk.call is not None and walk.call.asked:
            what, asked = walk.places[-1].step(walk.call)
            if what is CallStep.RETURN:
                move = walk.call.best.move
            elif what in (CallStep.ASK, CallStep.HEAR):
                move = walk.call.asked[asked - 1].move
        cursor = move if move is not None and move >= 0 else None
        board.show(BoardView(state.position, cursor=cursor))

    def take(self, answer: LookedAhead | None, problem: str) -> None:
        state = self._asked
        if answer is None:
            self.show_title(problem)
        elif self._walk is not None and state is not None:
            self._known[state] = answer
            if answer.call is not None:
                self._walk.calls[state] = answer.call
            if answer.scores is not None:
                self._asked = None
            self.show_step()

    def action_step(self, steps: int) -> None:
        """Go a step on or back, into the calls inside."""
        self._go(lambda walk: walk.into(steps), steps > 0)

    def action_over(self, steps: int) -> None:
        """Go a step on or back in this call, or out of it."""
        self._go(lambda walk: walk.over(steps), steps > 0)

    def action_to(self, place: int) -> None:
        """Go to the first step (0) or the last (-1) of the first call."""
        self._go(lambda walk: walk.to(place), place < 0)

    def _go(self, move: Callable[[Walk], None], forward: bool) -> None:
        """Move on or back in the walk, or say why that is not possible."""
        walk = self._walk
        if walk is None:
            self.complain(self._problem)
            return
        before = list(walk.places)
        move(walk)
        if walk.places != before:
            self.show_step()
        elif walk.call is None:
            self.complain(NO_STEP_YET)
        else:
            self.complain_of_end(forward)

    @work(group="dialogs")
    async def action_game(self) -> None:
        hint = "hex (the position of the record)"
        hint += "".join(f", or {name} {game.EXAMPLE}" for name, game in GAMES.items())
        hint += "".join(f", or {name}" for name in game_names() if name not in GAMES)
        chosen = await self.app.push_screen_wait(
            LineDialog("Which game?", f"{hint}.", self._read, self._game)
        )
        if chosen is not None:
            self._begin(*chosen)

    def _read(self, text: str) -> tuple[str, GameState]:
        """Read a game and its state; raises ValueError with one line."""
        game, _, state = text.strip().partition(" ")
        if game == "hex" and not state:
            return game, HexGame.at(self.subject)
        rules = game_called(game)
        return game, rules.parse(state or rules.EXAMPLE)


def call_lines(place: CallPlace, call: Call, depth: int, names: Names) -> Iterator[str]:
    """Yield the lines about a place in a call: what the steps so far have found."""
    state = place.state
    what, asked = place.step(call)
    yield f"Depth {depth}, {_player(state, state.to_move, names)} to move"
    yield ""
    if not state.moves:
        winner = state.winner
        how = "a draw" if winner is None else f"{_player(state, winner, names)} has won"
        yield f"The game is over: {how}."
        return
    at_once = call.best.move is not None and not call.asked
    won = f"{name_of(state, call.best.move)} does." if at_once else "None does."
    yield f"1  Does a move win at once? {won}"
    if not at_once:
        yield "2  The best reply to each move:" if asked else ""
    yield from _asked_lines(state, call, asked, what)
    if what is CallStep.RETURN:
        yield f"Returns {name_of(state, call.best.move)}: {OUTCOMES[call.best.score]}"


def _asked_lines(state: GameState, call: Call, asked: int, what: CallStep) -> Iterator[str]:
    """Yield a line about the reply to each of the moves asked about so far."""
    for number, tried in enumerate(call.asked[:asked], start=1):
        move = name_of(state, tried.move)
        mark = ">" if number == asked else " "
        if number == asked and what is CallStep.ASK:
            yield f"{mark}  {move:<11} searching ..."
            continue
        after = tried.reply.move
        reply = "is over" if after is None else name_of(state.play(tried.move), after)
        yield f"{mark}  {move:<11} {reply:<11} {OUTCOMES[tried.score]:<5} {tried.positions:>5,}"


def score_lines(state: GameState, scores: Mapping[int, int]) -> Iterator[str]:
    """Yield the scores of all moves, those that win first."""
    yield "All moves"
    for score, word in OUTCOMES.items():
        names = [name_of(state, move) for move, s in scores.items() if s == score]
        if names:
            yield labelled(word, names, columns=7)


def name_of(state: GameState, move: int | None) -> str:
    """Return the name of a move, ``-`` for none."""
    return "-" if move is None else state.move_name(move)


def _player(state: GameState, player: int, names: Names) -> str:
    return names.player(player) if isinstance(state, HexGame) else state.player_name(player)
