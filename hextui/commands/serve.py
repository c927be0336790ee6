"""``hextui serve``: the workstation in a browser, by textual-serve."""

import argparse
import logging
import shlex
from importlib.util import find_spec
from typing import TYPE_CHECKING

from hextui.children import python_command
from hextui.commands.arguments import POSITION_HELP, whole
from hextui.commands.output import FAILED, complain, remark, say

if TYPE_CHECKING:
    from textual_serve.server import Server


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("record", nargs="?", metavar="FILE|LINK", help=POSITION_HELP)
    parser.add_argument("--host", default="127.0.0.1", help="address (default: this machine only)")
    parser.add_argument("--port", type=whole(1, 65535), default=8000, help="port (default: 8000)")


def run(options: argparse.Namespace) -> int:
    """Serve the workstation until it is interrupted; return the exit code.

    Each page that is opened gets a program of its own, with the rights of the user who serves.
    """
    host, port = options.host, options.port
    if find_spec("textual_serve") is None:
        return complain("textual-serve is missing: pip install 'hextui[web]'")
    words = python_command("hextui", *([options.record] if options.record else []))
    try:
        make_server(shlex.join(words), host, port).serve()
    except (OSError, ValueError) as error:  # a port in use, a name that is no address
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        complain(f"{host} port {port}: {reason}")
        return FAILED
    return 0


def make_server(command: str, host: str, port: int) -> "Server":
    """Return a server that starts ``command`` for each page.

    A page of another site cannot open the socket that the program listens to.
    """
    from aiohttp import web
    from textual_serve.server import Server

    class OwnPagesOnly(Server):
        def initialize_logging(self) -> None:
            logging.basicConfig(level=logging.WARNING, handlers=[_Remarks()])

        async def on_startup(self, app: web.Application) -> None:
            say(f"serving on {self.public_url} (Ctrl+C ends it)")

        async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
            hosts = {self.host, "localhost"} if self.host == "127.0.0.1" else {self.host}
            own = {self.public_url, *(f"http://{name}:{self.port}" for name in hosts)}
            if request.headers.get("Origin") not in own:
                raise web.HTTPForbidden(text="This page is not from here.")
            return await super().handle_websocket(request)

    return OwnPagesOnly(command, host, port, title="hextui")


class _Remarks(logging.Handler):
    """Tells what the server logs, a line each."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print the message."""
        remark(f"hextui: {record.getMessage()}")
