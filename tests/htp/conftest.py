"""A server for the tests of a module, on an empty 4x4 board at the beginning of each."""

from collections.abc import Iterator

import pytest

from tests.htp.clients import InThread


@pytest.fixture(scope="module")
def shared_server() -> Iterator[InThread]:
    client = InThread()
    yield client
    client.close()


@pytest.fixture
def client(shared_server: InThread) -> InThread:
    shared_server.done(
        "boardsize 4 4",
        "time_settings 0 0 0",
        "param_game allow_swap 0",
        "param_game swap_board keep",
        "param_game game_time 0",
        "param_dfpn timelimit 0",
        "param_dfpn use_guifx 0",
        "param_hextui max_time 0",
        "param_hextui player minimax(resistance)",
    )
    return shared_server
