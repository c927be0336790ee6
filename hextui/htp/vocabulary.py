"""The commands that we know: in which module each is done, and what HexGui is told of them.

A module is imported when a command of it is first used. ``quit``, ``known_command``,
``list_commands`` and ``hexgui-analyze_commands`` are the server's own.
"""

from collections.abc import Callable
from importlib import import_module

from hextui.engine.evaluators import names
from hextui.htp.htp_requests import HtpRequest
from hextui.htp.htp_session import HtpSession

Handler = Callable[[HtpSession, HtpRequest], str]

_PLACES = {
    "board": {
        "protocol_version": "protocol_version",
        "name": "name",
        "version": "version",
        "gogui-interrupt": "nothing",
        "boardsize": "boardsize",
        "clear_board": "clear_board",
        "play": "play",
        "play-game": "play_game",
        "undo": "undo",
        "showboard": "showboard",
        "all_legal_moves": "all_legal_moves",
        "final_score": "final_score",
        "group-get": "group_get",
        "loadsgf": "load_sgf",
        "time_settings": "time_settings",
        "time_left": "time_left",
        "param_game": "param_game",
        "param_dfpn": "param_dfpn",
        "param_hextui": "param_own",
    },
    "search": {
        "genmove": "genmove",
        "reg_genmove": "reg_genmove",
        "hextui-pv": "pv",
        "gogui-gfx-analyze": "gfx_analyze",
    },
    "solver": {
        "dfpn-solve-state": "solve_state",
        "dfpn-solver-find-winning": "find_winning",
        "dfpn-get-pv": "get_pv",
        "dfpn-get-bounds": "get_bounds",
        "dfpn-get-state": "get_state",
        "dfpn-clear-tt": "clear_table",
    },
    "connections": {
        "vc-between-cells-full": "between_cells",
        "vc-between-cells-semi": "between_cells",
        "vc-connected-to-full": "connected_to",
        "vc-connected-to-semi": "connected_to",
        "vc-intersection-full": "intersection",
        "vc-intersection-semi": "intersection",
        "vc-union-full": "union",
        "vc-union-semi": "union",
        "vc-build": "build",
        "hextui-mustplay": "mustplay",
        "compute-inferior": "inferior",
        "compute-fillin": "fillin",
    },
    "evaluators": {
        "hextui-values": "values",
        "hextui-heat": "heat",
        "hextui-explain": "explain",
        "eval-resist": "resistance",
        "eval-resist-cells": "cell_energy",
        "eval-twod": "two_distance",
    },
}
_MODULES = {
    command: (module, function)
    for module, commands in _PLACES.items()
    for command, function in commands.items()
}
SERVERS_OWN = ("quit", "known_command", "list_commands", "hexgui-analyze_commands")
COMMANDS = tuple(sorted([*_MODULES, *SERVERS_OWN]))
"""All commands, by name."""

_MENU = """\
string/Solve/dfpn-solve-state %m
plist/Winning moves/dfpn-solver-find-winning %m
var/Solver PV/dfpn-get-pv %m
pspairs/Solver bounds/dfpn-get-bounds %m
string/Solver state/dfpn-get-state %m
none/Forget what was solved/dfpn-clear-tt
inferior/Must-play + inferior/vc-build %m
plist/Must-play/hextui-mustplay %m
inferior/Inferior cells/compute-inferior %m
inferior/Fill-in/compute-fillin %m
vc/Full connections/vc-between-cells-full %c %P
vc/Semi connections/vc-between-cells-semi %c %P
plist/Connected to/vc-connected-to-full %c %p
plist/Common to full connections/vc-intersection-full %c %P
plist/Common to semi connections/vc-intersection-semi %c %P
group/Group/group-get %p
string/Resistances/eval-resist %m
string/Explain best move/hextui-explain %m
string/Explain move/hextui-explain %m %p
move/Generate/genmove %m
plist/Legal moves/all_legal_moves %m
string/Final score/final_score
string/Board/showboard
param/Game/param_game
param/Solver/param_dfpn
param/Settings/param_hextui"""
_OF_EVALUATOR = (
    "gfx/{0} heat/hextui-heat {0} %m",
    "pspairs/{0} values/hextui-values {0} %m",
    "var/{0} PV/hextui-pv {0} %m",
)


def analyze_commands() -> str:
    """Return what HexGui makes a menu of: type, label and command a line."""
    lines = [line.format(name) for name in names() for line in _OF_EVALUATOR]
    return "\n".join([*_MENU.split("\n"), *lines])


def handler(command: str) -> Handler | None:
    """Return what does a command; None for one that we do not know, or the server's own."""
    if command not in _MODULES:
        return None
    module, function = _MODULES[command]
    found: Handler = getattr(import_module(f"hextui.htp.commands.{module}"), function)
    return found
