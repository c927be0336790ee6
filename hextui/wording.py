"""What the players are called in this run."""

from hextui.words.names import Names

_chosen = Names.RED_BLUE


def call_players(names: Names) -> None:
    """Call the players so from now on. A program does this once, before it says anything."""
    global _chosen
    _chosen = names


def player_name(player: int | str) -> str:
    """Return what a player is called: the first one moves first and joins top and bottom."""
    return _chosen.player(player)


def player_names() -> tuple[str, str]:
    """Return what both players are called."""
    return _chosen.both


def result_words(winner: int | str | None, how: str = "") -> str:
    """Return a result as a sentence without its full stop; '' if nothing is known."""
    return _chosen.result(winner, how)
