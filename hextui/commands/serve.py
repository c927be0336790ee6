"""``hextui serve``: the workstation in a browser, by textual-serve."""

import argparse
import asyncio
import logging
import secrets
import shlex
import signal
from contextlib import suppress
from typing import TYPE_CHECKING

from hextui.children import python_command
from hextui.commands.arguments import Parser, whole
from hextui.commands.output import FAILED, complain, remark, say

if TYPE_CHECKING:
    from textual_serve.server import Server


_END_SECONDS = 5.0  # for the programs of open pages, when the server ends


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    parser.record()
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to serve on (default: 127.0.0.1, this machine only)",
    )
    parser.add_argument(
        "--port", type=whole(1, 65535), default=8000, help="port to serve on (default: 8000)"
    )
    text = "run at most N programs at a time, one per open page (default: 8)"
    parser.number("--programs", text, 8)


def run(options: argparse.Namespace) -> int:
    """Serve the workstation until it is interrupted; return the exit code."""
    from hextui.ui.record.files import open_session

    host, port = options.host, options.port
    words = []
    for name in ("game", "ply"):
        if (number := getattr(options, name)) is not None:
            words += [f"--{name}", str(number)]
    if options.record is not None:  # a page could not report what its program cannot open
        open_session(options.record, options.game or 1)
        words += ["--", options.record]
    try:
        make_server(
            shlex.join(python_command("hextui", *words)), host, port, options.programs
        ).serve()
    except (OSError, ValueError) as error:  # a port in use, a name that is no address
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        complain(f"{host} port {port}: {reason}")
        return FAILED
    return 0


def make_server(command: str, host: str, port: int, programs: int) -> "Server":
    """Return a server that starts ``command`` for each page, at most ``programs`` at a time.

    It answers only requests with the token in the address that it prints, which the page keeps in a
    cookie. Pages of other sites cannot open the program's socket.
    """
    import aiohttp_jinja2
    import jinja2
    from aiohttp import web
    from aiohttp.typedefs import Handler
    from textual_serve.server import Server

    token = secrets.token_urlsafe()
    cookie = f"hextui-{port}"
    running: set[asyncio.Task[object] | None] = set()

    @web.middleware
    async def with_token(request: web.Request, handler: Handler) -> web.StreamResponse:
        given = (request.query.get("token", ""), request.cookies.get(cookie, ""))
        if not any(secrets.compare_digest(word.encode(), token.encode()) for word in given):
            raise web.HTTPForbidden(text="Open the address that hextui serve printed.")
        return await handler(request)

    class OwnPagesOnly(Server):
        def initialize_logging(self) -> None:
            logging.basicConfig(level=logging.WARNING, handlers=[_Remarks()])

        def serve(self, debug: bool = False) -> None:
            self.initialize_logging()
            with suppress(KeyboardInterrupt):
                asyncio.run(self.serve_pages())

        async def serve_pages(self) -> None:
            runner = web.AppRunner(self.application(), shutdown_timeout=_END_SECONDS)
            await runner.setup()
            try:
                await web.TCPSite(runner, self.host, self.port).start()
                say(f"serving on {self.public_url}/?token={token} (Ctrl+C ends it)")
                await _interrupted()
                for page in filter(None, running):  # each ends its program
                    page.cancel()
            finally:
                await runner.cleanup()

        def application(self) -> web.Application:
            application = web.Application(middlewares=[with_token])
            aiohttp_jinja2.setup(application, loader=jinja2.FileSystemLoader(self.templates_path))
            routes = [
                web.get("/", self.handle_index, name="index"),
                web.get("/ws", self.handle_websocket, name="websocket"),
                web.get("/download/{key}", self.handle_download, name="download"),
                web.static("/static", self.statics_path, name="static"),
            ]
            application.add_routes(routes)
            return application

        async def handle_index(self, request: web.Request) -> web.StreamResponse:
            self._refuse_beyond_limit()
            page = await super().handle_index(request)
            page.set_cookie(cookie, token, httponly=True, samesite="Strict")
            page.headers["Referrer-Policy"] = "no-referrer"
            return page

        async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
            hosts = {self.host, "localhost"} if self.host == "127.0.0.1" else {self.host}
            own = {self.public_url, *(f"http://{name}:{self.port}" for name in hosts)}
            if request.headers.get("Origin") not in own:
                raise web.HTTPForbidden(text="This page does not come from this server.")
            self._refuse_beyond_limit()
            page = asyncio.current_task()
            running.add(page)
            try:
                return await super().handle_websocket(request)
            finally:
                running.discard(page)

        def _refuse_beyond_limit(self) -> None:
            if len(running) >= programs:
                raise web.HTTPServiceUnavailable(
                    text=f"{programs} programs are running: close a page, or serve with --programs."
                )

    return OwnPagesOnly(command, host, port, title="hextui")


async def _interrupted() -> None:
    """Wait until the user or the system ends the server."""
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows raises KeyboardInterrupt
            asyncio.get_running_loop().add_signal_handler(number, ended.set)
    await ended.wait()


class _Remarks(logging.Handler):
    """Prints what the server logs on standard error, one line per message."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print the message."""
        remark(f"hextui: {record.getMessage()}")
