"""Records to and from the clipboard of the terminal."""

from textual import events

from hextui.records.errors import RecordError
from hextui.ui import files
from hextui.ui.desk import DeskApp
from hextui.ui.main.session_screen import SessionScreen


class CopyingScreen(SessionScreen):
    """Copies the record as a link or as SGF, and opens what is pasted."""

    def action_copy(self, form: str) -> None:
        """Copy the record in a format: ``hexworld`` (the line looked at) or ``sgf`` (all of it)."""
        from hextui.records.formats import write_record
        from hextui.records.splitting import Format

        try:
            text = write_record(self.session.record, Format(form), self.session.node)
        except RecordError as error:
            self.complain(error)
            return
        self.app.copy_to_clipboard(text.strip())
        self.notify(f"Copied as {'a link' if form == 'hexworld' else 'SGF'}", timeout=2)

    def on_paste(self, event: events.Paste) -> None:
        """Open a pasted link or SGF."""
        text = event.text.strip()
        if not text.startswith(("(;", "#", "http://", "https://")):
            self.complain("What was pasted is neither SGF nor a link of hexworld.org")
            return
        try:
            session = files.open_session(text)
        except RecordError as error:
            self.complain(error)
            return
        assert isinstance(self.app, DeskApp)
        self.app.open_session(session)
