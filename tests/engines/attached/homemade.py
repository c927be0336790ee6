"""Engines as people write them for HexGui: ``homemade.py HABIT ...``, in a process of its own.

Without a habit it knows no ids, no ``list_commands``, and only ``genmove``, which takes the first
empty cell. What it is asked is as HexGui asks it; it ends at what HexGui never sends.
"""

import sys
import time

HABITS = sys.argv[1:]
SLOW_SECONDS = 0.2

stones: dict[str, str] = {}
rows = 11


def say(text: str) -> None:
    print(text, flush=True)


def answer(text: str = "", mark: str = "=") -> None:
    say(f"{mark}{number} {text}\n")


def cell() -> str:
    free = (f"{chr(97 + x)}{y + 1}" for y in range(rows) for x in range(rows))
    return next(c for c in free if c not in stones)


if __name__ == "__main__":
    if "noise" in HABITS:
        say("Welcome\nloading weights")
    for line in sys.stdin:
        words, number = line.split(), ""
        if not words or (words[0].startswith("#") and "no comments" not in HABITS):
            continue
        if "ids" in HABITS and words[0].isdigit():
            number = words.pop(0)
        if "noise" in HABITS:
            say("thinking about " + " ".join(words))
        match words:
            case ["name"]:
                answer("homemade")
            case ["version"]:
                answer("1")
            case ["list_commands"] if "lists" in HABITS:
                answer("name\nversion\nlist_commands\nboardsize\nclear_board\nplay\nundo\ngenmove")
            case ["boardsize", columns, same] if columns == same:
                if "slow" in HABITS:
                    time.sleep(SLOW_SECONDS)
                rows, stones = int(columns), {}
                answer()
            case ["clear_board"]:
                stones = {}
                answer()
            case ["play", ("black" | "white") as color, where] if where not in stones:
                stones[where] = color
                answer()
            case ["undo"] if stones and "no undo" not in HABITS:
                stones.popitem()
                answer()
            case ["reg_genmove", "black" | "white"] if "only chooses" in HABITS:
                answer(cell())
            case ["genmove", ("black" | "white") as color] if "only chooses" not in HABITS:
                where = cell()
                if "late" in HABITS:
                    time.sleep(SLOW_SECONDS)
                if "nonsense" in HABITS:
                    where = "I like the middle"
                if stones and HABITS[:1] == ["answers"]:
                    answer(HABITS[1])
                    continue
                if "info" in HABITS:
                    for order, move in ((0, "c3"), (1, where), (2, "d4"), (0, where), (1, "c3")):
                        share = f"nan visits {order}" if "nan" in HABITS else f"0.{6 - order}"
                        say(f"info move {move} winrate {share} order {order} pv {move}")
                stones[where] = color
                answer(where)
            case ["quit"]:
                answer()
                break
            case _ if "silent" not in HABITS:
                answer("unknown command: " + line.strip(), "?")
