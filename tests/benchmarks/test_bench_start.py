"""From the command to the first screen of a game, in a terminal. Aim: 0.45 s.

Bytecode must be compiled, as an installation does: where PYTHONDONTWRITEBYTECODE is set,
``python -m compileall hextui`` and the same for the packages.
"""

from .test_bench_latency import Terminal, game


def test_first_screen(benchmark, tmp_path):
    path = tmp_path / "game.sgf"
    game(11, path)
    started = []

    def start():
        started.append(Terminal(str(path)))
        started[-1].wait_for_pattern("to move")

    def end():
        if started:
            started.pop().close()

    benchmark.pedantic(start, setup=end, rounds=7, iterations=1, warmup_rounds=1)
    end()
