"""``python -m hextui.learn.measure``: what weights are worth on the games that are held out."""

import argparse
import json
import sys
from pathlib import Path

from hextui.engine.neural.judge import NeuralJudge, read_weights
from hextui.learn.game_lines import read_games
from hextui.learn.held_out import HeldOut, add_held_out, split
from hextui.learn.measuring import measure, measure_proofs
from hextui.learn.proof_lines import read_proofs, split_proofs


def main() -> int:
    """Print the figures as JSON and return the exit code: 0 done, 1 failed."""
    parser = argparse.ArgumentParser(prog="python -m hextui.learn.measure", description=__doc__)
    parser.add_argument("weights", type=Path, metavar="WEIGHTS")
    parser.add_argument("games", type=Path, nargs="+", metavar="GAMES", help="games, one a line")
    add_held_out(parser, "measure on games whose number EVERY divides and whose winner has RATING")
    parser.add_argument(
        "--proofs",
        type=Path,
        nargs="+",
        default=(),
        metavar="PROOFS",
        help="measure on proved positions too whose number EVERY divides",
    )
    options = parser.parse_args()
    try:
        judge = NeuralJudge(read_weights(options.weights.read_bytes()))
        _, kept = split(read_games(options.games), HeldOut(*options.held_out))
        if not kept:
            raise ValueError("no game is held out")
        told = measure(judge, kept).as_json()
        _, proofs = split_proofs(read_proofs(options.proofs), options.held_out[0])
        if proofs:
            told["proved"] = measure_proofs(judge, proofs).as_json()
        print(json.dumps(told, indent=1))
    except (ValueError, OSError) as error:
        print(f"hextui.learn.measure: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
