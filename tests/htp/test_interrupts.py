"""Interrupts and the end of the input, while it works and while it waits."""

from tests.htp.clients import InThread

FOREVER = ("boardsize 11", "play b a10", "play w k2")
"""A position that is not solved in a lifetime."""


def working(client: InThread) -> bool:
    """Tell whether a live block came: the solver is at work."""
    return client._part().startswith("gogui-gfx:")


def test_an_interrupt_ends_the_solver_with_what_it_knows(client: InThread) -> None:
    client.done(*FOREVER, "param_dfpn use_guifx 1")
    client.send("3 dfpn-solve-state black")
    assert working(client)
    client.send("# interrupt")
    assert client.read() == "=3 empty"
    client.done("clear_board")


def test_an_interrupt_ends_a_search_with_its_best_move(client: InThread) -> None:
    client.done(*FOREVER, "param_hextui player minimax(resistance/30,30,30,30,30,30,0)")
    client.send("genmove black", "# interrupt")
    move = client.read().removeprefix("= ")
    legal = client.good("all_legal_moves").split()
    assert move not in legal
    client.done("undo")
    assert move in client.good("all_legal_moves").split()


def test_an_interrupt_ends_all_that_was_asked_before_and_nothing_after(client: InThread) -> None:
    client.done(*FOREVER)
    commands = ("1 dfpn-solve-state b", "2 dfpn-solver-find-winning w", "3 dfpn-solve-state w")
    client.send(*commands, "# interrupt", "boardsize 3", "dfpn-solve-state b")
    assert [client.read() for _ in commands] == ["=1 empty", "=2 ", "=3 empty"]
    assert client.read() == "= "
    assert client.read() == "= black"


def test_an_interrupt_while_nothing_is_done_is_forgotten(client: InThread) -> None:
    client.send("# interrupt", "  # a remark", "")
    assert client.good("dfpn-solve-state b") == "black"


def test_limits_of_time_end_a_search(client: InThread) -> None:
    client.done(*FOREVER, "param_dfpn timelimit 0.05", "param_hextui max_time 0.05")
    assert client.good("dfpn-solve-state b") == "empty"
    client.done("param_hextui player minimax(resistance/30,30,30,30,30,30,0)")
    assert client.good("reg_genmove b") in client.good("all_legal_moves").split()


def test_at_the_end_of_the_input_what_was_asked_is_answered() -> None:
    client = InThread()
    client.send("boardsize 4", "dfpn-solve-state b")
    client.hang_up()
    assert [client.read() for _ in range(3)] == ["= ", "= black", ""]
    client.wait()


def test_without_a_line_at_the_end() -> None:
    client = InThread()
    client._questions.write(b"name\nversion")
    client.hang_up()
    assert client.read() == "= hextui"
    assert client.read().startswith("= ")
    client.wait()


def test_when_nobody_reads_any_more_it_ends() -> None:
    client = InThread()
    client.done(*FOREVER, "param_dfpn use_guifx 0")
    client.send("dfpn-solve-state b")
    client.hang_up()
    client.stop_reading()
    client.wait()
