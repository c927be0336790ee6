"""``hextui htp``: our engine for HexGui and tournament scripts, on standard input and output."""

import argparse
import errno
import os

from hextui.children import take_standard_streams
from hextui.commands.output import OutputError, complain, remark
from hextui.locations import remove_temporary_home


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments: clients set options by HTP commands."""


def run(options: argparse.Namespace) -> int:
    """Answer commands until the client quits or goes away; return the exit code."""
    from hextui.htp.server import HtpServer, InputError

    try:
        commands, replies = take_standard_streams()
        HtpServer(commands, replies, remark).run()
    except InputError as error:
        return complain(f"standard input: cannot be read: {error}")
    except OSError as error:
        if error.errno != errno.EPIPE:
            raise OutputError(error) from None
    remove_temporary_home()
    # unloading compiled code takes a second, and clients wait for the process to end
    os._exit(0)
