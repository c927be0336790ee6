"""``hextui htp``: our engine for HexGui and tournament scripts, on standard input and output."""

import argparse
import errno
import os

from hextui.commands.output import OutputError, complain, remark


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes: nothing, for clients set what they want by commands."""


def run(options: argparse.Namespace) -> int:
    """Answer until the client has enough; return the exit code."""
    from hextui.htp.server import HtpServer, InputError

    questions, answers = os.dup(0), os.dup(1)
    # whatever else reads or prints must not meddle with the answers
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    try:
        HtpServer(questions, answers, remark).run()
    except InputError as error:
        return complain(f"standard input: cannot be read: {error}")
    except OSError as error:
        if error.errno != errno.EPIPE:
            raise OutputError(error) from None
    # taking compiled code down takes a second, and clients wait for our end
    os._exit(0)
