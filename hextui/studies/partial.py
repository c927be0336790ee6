"""The report of a run that is not done, written again and again beside its journal."""

import time

from hextui.studies.results import PARTIAL, Folder, StudyError

_PAUSE = 2.0  # seconds between two reports
_SHARE = 20  # and so many times what the last one took


class PartialReport:
    """Writes the report of what is done, at most every few seconds."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._next = 0.0

    def tell(self) -> None:
        """Write the report, if it is time. Raises StudyError if the folder cannot be written."""
        start = time.monotonic()
        if start < self._next:
            return
        text = self._report()
        if text:
            self._folder.write(PARTIAL, text)
        end = time.monotonic()
        self._next = end + max(_PAUSE, _SHARE * (end - start))

    def _report(self) -> str:
        """Return the report, '' while there is too little for one."""
        from hextui.studies.reports import reporting_of

        settings = self._folder.settings()
        table = self._folder.rows_so_far()
        if not table.rows:
            return ""
        try:
            return reporting_of(settings["study"]).report(table, settings, [])
        except (StudyError, ValueError, ArithmeticError, LookupError):
            return ""  # some reports need a game of every pair
