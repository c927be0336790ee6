"""``hextui tutorial``: the workstation, with a bar that leads through ten steps."""

import argparse
import os
import shutil
from pathlib import Path

from hextui import locations
from hextui.commands import workstation
from hextui.commands.arguments import Parser


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    workstation.set_defaults(parser)


def run(options: argparse.Namespace) -> int:
    """Run the tutorial from the step where it was left; return the exit code."""
    from hextui.ui.app.settings import Settings, UserState

    kept = UserState(locations.state_folder()).settings()
    options.tutorial = Settings(theme=kept.theme)
    locations.use_tutorial_folders()
    os.chdir(_new_folder())
    return workstation.run(options)


def _new_folder() -> Path:
    """Make the folder of files that the tutorial writes, with the games to import."""
    folder = locations.data_folder() / "files"
    shutil.rmtree(folder, ignore_errors=True)
    locations.make_private_folder(folder)
    games = Path(__file__).parents[1] / "samples" / "games.sgf"
    shutil.copyfile(games, folder / games.name)
    return folder
