"""An engine that plays tricks: ``scripted.py TRICK [FILE]``, in a process of its own.

It knows its stones and tells of them: its best move is the first empty cell, and the visits of
that move are a thousand and the number of stones. Without a trick it behaves as KataHex does.
"""

import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

TRICK, FILE, *_ = [*sys.argv[1:], "", ""]
REPORT_SECONDS = 0.01
SLOW_SECONDS = 0.2
"""Of silence of one that is slow, before it analyses and before it stops."""

LISTED = "name version list_commands boardsize clear_board play undo kata-analyze stop quit"
HTP_LISTED = "name version list_commands boardsize clear_board play undo reg_genmove mohex-values"
PROVER_LISTED = f"{HTP_LISTED} dfpn-get-bounds gogui-gfx-analyze"

HTP_TRICKS = ("htp", "early", "unheard")
ANSWERS = {"resigns": "resign", "off the board": "z99", "no word": "\x1b[2J"}

stones: dict[str, str] = {}  # in the order in which they were played
size = [11, 11]
lines: "queue.SimpleQueue[str | None]" = queue.SimpleQueue()


def read() -> None:
    for line in sys.stdin:
        lines.put(line.strip())
    lines.put(None)


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def cells() -> list[str]:
    return [f"{chr(97 + c)}{r + 1}" for r in range(size[1]) for c in range(size[0])]


def best() -> str:
    return next(cell for cell in cells() if cell not in stones)


def report() -> str:
    first, second = [cell for cell in cells() if cell not in stones][:2]
    text = (
        f"info move {second} visits 7 winrate 0.25 prior 0.1 lcb -0.2 order 1 pv {second} pass "
        f"info move {first} visits {1000 + len(stones)} utility 0.1 winrate 0.75 prior 0.5 "
        f"lcb 1.2 order 0 pv {first} {second} pass pvVisits 5 4 3 "
        f"info move pass visits 1 winrate 0.1 prior 0.1 order 2 pv pass"
    )
    if TRICK == "long":
        text += " ownership" + " -0.123456" * size[0] * size[1] + " ownershipStdev"
        text += " 0.000001" * 12_000
    return text


def listed() -> str:
    lists = {"prover": PROVER_LISTED, **dict.fromkeys((*ANSWERS, *HTP_TRICKS), HTP_LISTED)}
    return "\n".join(lists.get(TRICK, LISTED).split())


def once() -> bool:
    """Return whether this is the first process that comes here."""
    try:
        Path(FILE).open("x").close()
    except FileExistsError:
        return False
    return True


def die(code: int, word: str) -> None:
    sys.stderr.write(f"terminate called\n  what():  {word}\n")
    sys.stderr.flush()
    os._exit(code)


def analyse(number: str) -> None:
    if TRICK == "slow":
        time.sleep(SLOW_SECONDS)
    if TRICK == "hang":
        while lines.get() is not None:
            pass
        return
    if TRICK == "late":
        say(report().replace(" 0.75 ", " 0.01 ") + "\n")  # of nobody's analysis
    say(f"={number}\n")
    while True:
        if TRICK == "bytes":  # no text in any encoding, and a line without end
            sys.stdout.buffer.write(b"\xff\xfe\x00\x80 info move \xc3 visits 1\n")
        say(report() + "\n")
        if TRICK == "crash once" and once():
            say("info move a1 vis")
            die(139, "in the middle")
        try:
            line = lines.get(timeout=0 if TRICK == "flood" else REPORT_SECONDS)
        except queue.Empty:
            continue
        if TRICK == "slow":
            time.sleep(SLOW_SECONDS)
        if TRICK == "interrupted":
            say("info move a1 visits 1 winr\n")
        if TRICK == "late":
            say(report() + "\n")
        say("\n")
        if TRICK == "deaf":
            return
        lines.put(line)
        return


def search(number: str) -> None:
    """Choose a move as Benzene does: graphics now and then, and an answer when interrupted."""
    if TRICK in ANSWERS:
        say(f"={number} {ANSWERS[TRICK]}\n\n")
        return
    listens = False
    while True:
        cell, then = [cell for cell in cells() if cell not in stones][:2]
        say(
            f"gogui-gfx:\nuct\nVAR B {cell} W {then}\nINFLUENCE {cell} .562\n"
            f"LABEL {cell} {1000 + len(stones)}\nTEXT N=1001 V=0.54\n\n"
        )
        try:
            line = lines.get(timeout=REPORT_SECONDS)
        except queue.Empty:
            continue
        if line == "# interrupt" and TRICK == "early" and not listens:
            listens = True  # an interrupt that comes before the search has begun is lost
            continue
        if line == "# interrupt" and TRICK == "unheard":
            continue
        if line in ("# interrupt", None):
            say(f"={number} {cell}\n\n")
            return


REPLIES: dict[str, Callable[[], str]] = {
    "name": lambda: "Scripted",
    "version": lambda: "1\n \n  a line of blanks is no end" if TRICK == "blank" else "1.0",
    "list_commands": listed,
    "mohex-values": lambda: f" {best()} .625@2k c3 .45@7 d4 L@3 e5 0",
    "dfpn-get-bounds": lambda: f" {best()} 36@27 b1 W c1 L d4 L",
    "stop": str,
    "quit": str,
}


def answer(name: str, words: list[str]) -> tuple[bool, str]:
    if name == "clear_board":
        stones.clear()
        return (True, "")
    if name == "boardsize":
        size[:] = map(int, words)
        stones.clear()
        return (True, "") if max(size) <= 13 else (False, "unacceptable size")
    if name == "play":
        color, cell = words
        if cell in stones:
            return (False, "illegal move")
        stones[cell] = color
        return (True, "")
    if name == "undo":
        if not stones:
            return (False, "cannot undo")
        stones.popitem()  # the last one played
        return (True, "")
    return (True, REPLIES[name]()) if name in REPLIES else (False, "unknown command")


def main() -> None:
    while TRICK == "endless":
        sys.stdout.write("x" * 65536)
    while TRICK in ("chatter", "mutter"):
        (sys.stdout if TRICK == "chatter" else sys.stderr).write("Initializing board\n")
    if TRICK == "silent":
        while sys.stdin.readline():
            pass
    if TRICK == "no start":
        sys.stderr.write("usage: scripted --model FILE\n")
        sys.exit(1)
    threading.Thread(target=read, daemon=True).start()
    while (line := lines.get()) is not None:
        if not line or line.startswith("#"):
            continue
        words = line.split()
        number = words.pop(0) if words[0].isdigit() else ""
        name, *words = words
        if name == "kata-analyze":
            analyse(number)
            continue
        if name in ("reg_genmove", "gogui-gfx-analyze"):
            search(number)
            continue
        if TRICK == "noise":
            say("Initializing board\n")
        if TRICK == "wrong order":
            say("=999 of another\n\n")
        good, text = answer(name, words)
        say(f"{'=' if good else '?'}{number} {text}\n\n")
        if name == "quit":
            return


if __name__ == "__main__":  # pytest imports every file in search of examples
    main()
