"""The questions of the library's screen."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from textual.app import App

from hextui.engine.board import Color
from hextui.library.answers import Broken, GameRow
from hextui.library.syncs import SITE_NAMES, syncs_of
from hextui.records.record_text import printable
from hextui.text import Names
from hextui.ui.screens.dialogs import Choice, ChoiceDialog, LineDialog, TextDialog
from hextui.ui.widgets.typed_text import PathSuggester, read_existing


async def ask_import(app: App[Any]) -> Path | None:
    """Ask for a file or a folder with games."""
    hint = "A file or a folder: SGF, hsgf, JSON lines, HexWorld links, plain moves."
    dialog = LineDialog("Import games", hint, read_existing, suggester=PathSuggester(()))
    return await app.push_screen_wait(dialog)


async def ask_player_of_site(app: App[Any], library: Path) -> tuple[str, str] | None:
    """Ask for a site and a player there; the last ones are given."""
    last = next(iter(syncs_of(library)), None)
    hint = "playhex NAME, or littlegolem NAME or NUMBER. One request a second."
    words = ""
    if last is not None:
        words = f"{last.site.partition('.')[0]} {last.name}"
        hint += f"\nLast sync: {last.last[:16].replace('T', ' ') or 'not complete'} UTC."
    return await app.push_screen_wait(LineDialog("Sync with a site", hint, _read_player, words))


async def ask_side(app: App[Any], colors: Sequence[Color], names: Names) -> Color | None:
    """Ask which of these sides the user played."""
    choices = []
    for color in colors:
        side = names.player(color)
        choices.append(Choice(side[0].lower(), side, str(color)))
    question = "Which side did you play?"
    chosen = await app.push_screen_wait(ChoiceDialog("Mark as mine", question, choices))
    return None if chosen is None else Color.parse(chosen)


async def ask_player(app: App[Any], game: GameRow, names: Names) -> str | None:
    """Ask which player of a game is meant, if both have names."""
    by_side = {str(Color.BLACK): game.black, str(Color.WHITE): game.white}
    named = [side for side, name in by_side.items() if name]
    if len(named) < 2:
        return next((by_side[side] for side in named), None)
    choices = []
    for side in named:
        key = names.player(side)[0].lower()
        choices.append(Choice(key, printable(by_side[side]), side))
    chosen = await app.push_screen_wait(ChoiceDialog("Player", "Which one?", choices))
    return None if chosen is None else by_side[chosen]


async def ask_own_name(app: App[Any]) -> str | None:
    """Ask what the user is called."""
    hint = "It is written into this game, and into those that you mark later."
    return await app.push_screen_wait(LineDialog("Your name", hint, _read_name))


async def confirm(app: App[Any], title: str, what: str) -> bool:
    """Ask whether to do what a title says to something."""
    dialog = ChoiceDialog(title, printable(what), (Choice("y", "Yes", "yes"),))
    return await app.push_screen_wait(dialog) == "yes"


def skipped_dialog(skipped: Sequence[Broken]) -> TextDialog:
    """Return the list of what an import skipped."""
    return TextDialog(f"Skipped: {len(skipped):,}", "\n".join(map(_reason, skipped)))


def skipped_text(skipped: Sequence[Broken]) -> str:
    """Return how many games an import skipped, and why the first one, '' if none."""
    return f"Skipped {len(skipped):,} (v lists all): {_reason(skipped[0])}" if skipped else ""


def _reason(broken: Broken) -> str:
    place = f", game {broken.number}" if broken.number else ""
    return printable(f"{Path(broken.source).name}{place}: {broken.reason}")


def _read_player(text: str) -> tuple[str, str]:
    site, _, player = text.partition(" ")
    site = site.lower().removesuffix(".org").removesuffix(".net")
    if site not in SITE_NAMES or not player.strip():
        raise ValueError(f"expected {' or '.join(SITE_NAMES)}, and a player")
    return site, player.strip()


def _read_name(text: str) -> str:
    if not text:
        raise ValueError("a name is needed")
    return text
