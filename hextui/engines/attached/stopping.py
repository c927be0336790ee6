"""How long a search takes to end once it knows that it is to end."""

import time

from hextui.engines.engine import Stop


class Stopping:
    """Tells a search whether it is to stop, and remembers since when it knows."""

    def __init__(self, wanted: Stop) -> None:
        self._wanted = wanted
        self._since: float | None = None

    def __call__(self) -> bool:
        """Tell whether it is to stop."""
        if not self._wanted():
            return False
        if self._since is None:
            self._since = time.monotonic()
        return True

    @property
    def seconds(self) -> float:
        """The seconds since it knows that it is to stop, 0 if it does not."""
        return 0.0 if self._since is None else time.monotonic() - self._since
