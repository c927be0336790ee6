"""The must-play region: what the opponent's connections of its edges leave to the side to move."""

from hextui.engine.connections import ConnectionTable


def must_play(opponent: ConnectionTable) -> frozenset[int]:
    """Return where the side to move must play: common to all the opponent's winning threats.

    All empty cells if there is no threat. Empty if the opponent cannot be stopped.
    """
    if opponent.edge_fulls:
        return frozenset()
    region = frozenset(opponent.position.empties)
    for threat in opponent.edge_semis:
        region &= threat.carrier
    return region
