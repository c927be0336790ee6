"""What a hostile command line is made of: words, and files that they may name."""

ESCAPES = "\x1b]52;c;aGk=\x07\x1b[2J\x9b31m\u202e"
WORDS = (
    "", " ", "-", "--", "---", "-h", "--help", "--version", "-x", "--no-such-option", "=", "\t",
    "\n", "\r\n", ESCAPES, "\udcff\udcfe", "x" * 3000, "\u0660", "\U0001f600", "\ud800", "~",
    "~nobody-of-this-name/x", "..", ".", "/dev/null", "/dev/full", "/dev/zero", "/proc/self/mem",
    "a\u2028b", "%s%n", "$(id)", "'", '"', "*", "{0}", "all",
)  # fmt: skip
NUMBERS = (
    "-1", "0", "1", "2", "3", "1.5", "1e9", "1e400", "-0", "+1", "nan", "inf", "-inf", "NaN",
    "0x10", "1_0", "٣", str(2**31), str(2**63 - 1), str(2**63), str(-(2**63) - 1), str(2**64),
    "9" * 30, "9" * 5000, "00000001", "1e-400",
)  # fmt: skip
TEXTS = (
    "#3,b2", "#3,", "3,b2c1", "#4x3,b1", "#2,a1b1a2", "#3,b2:s", "#1,",
    "(;GM[11]SZ[3];B[b2];W[a1])", "https://hexworld.org/board/#3,b2", "(;", "(;GM[11]SZ[3];B[z9])",
    "(;GM[11]SZ[99])", "#0,", "#20,a1", "#3,z9", f"#{'9' * 30},a1", "#3,a1a1", "#3,a1#b2", "#3x,",
    "(" * 3000, "#3," + "a1" * 1000, f"#3,{ESCAPES}", f"(;GM[11]SZ[3]PB[{ESCAPES}\\]];B[b2])",
    "(;GM[11]SZ[" + "9" * 5000 + "])", "#-3,", "#3,:p", "#,", "#",
)  # fmt: skip
EVALUATORS = (
    "resistance", "k-paths:0", "k-paths:1,raw", "shortest-path:seed=7", "blocking",
    "resistance:plain", "k-paths", "k-paths:3", f"k-paths:{'9' * 30}", "k-paths:1,x=1/0",
    "k-paths:1,x=nan", "k-paths:1,x=-1", "k-paths:0,x=1e99999", f"shortest-path:seed={'9' * 30}",
    "shortest-path:seed=-1", "shortest-path:ties=none", "blocking:samples=-1",
    "blocking:average,samples=1", f"blocking:average,samples={'9' * 20}", "minimax(resistance/2,0)",
    "minimax(", "minimax(k-paths:0/9)", f"minimax(resistance/{'9' * 30},0)", "nobody",
    f"x{ESCAPES}", ":", ":::", "resistance:,,=",
)  # fmt: skip
SIZES = (
    "3", "2", "2x3", "1", "4X3", "0", "-1", "99", "3x", "x3", "3x3x3", "9" * 30, "1x" + "9" * 30,
    "٣", "nan",
)  # fmt: skip
WIDTHS = (
    "2,0", "0", "3,2,0", "", "0,0", "-1,0", "a,0", "2", f"{'9' * 30},0", "1," * 300 + "0", "2,,0",
    "²,0",
)  # fmt: skip
FITTING = {
    "position": TEXTS,
    "record": TEXTS,
    "source": TEXTS,
    "through": TEXTS,
    "evaluator": EVALUATORS,
    "first": EVALUATORS,
    "second": EVALUATORS,
    "players": EVALUATORS,
    "size": SIZES,
    "widths": WIDTHS,
    "color": ("black", "white", "red", "blue", "b", "BLACK", "green"),
    "to_move": ("black", "white", "w", "x"),
    "seconds": ("0.1", "0", *NUMBERS),
    "solve": ("0", "0.01", *NUMBERS),
    "workers": ("1", *NUMBERS),
    "games": ("1", "2", *NUMBERS[:2], *NUMBERS[9:]),
    "openings": ("1", "all", *NUMBERS),
    "reading": ("default", "all "),
    "target": (
        *("sgf", "json", "plain", "hexata", "hexworld", "hsgf", "SGF"),
        *("x.sgf", "x.json", "x.nothing", "no/x.sgf"),
    ),
    "output": ("x.svg", "x.txt", "x.wiki", "x.url", "x.png", "x.nothing", "no/x.svg"),
    "save": ("x.sgf", "x.json"),
    "proof": ("proof", "p.json"),
    "host": ("127.0.0.1", "256.1.1.1", "::1", "localhost", "x" * 300),
    "port": ("0", "65536", "80", "70000", *NUMBERS),
    "cells": ("9", "16", *NUMBERS),
    "cluster": ("nonsense", "tcp://", "tcp://127.0.0.1:1", f"tcp://{ESCAPES}"),
    "out": ("out", "no/out"),
    "date": ("2019", "2019-05", "2019..2021", "..", "2021..2019"),
    "player": ("Ann",),
    "opponent": ("Bob",),
    "swap": ("yes", "no", "maybe"),
    "swapper": ("Ann",),
    "rating": ("1800..", "..2000", "1..2", "2..1", "1800", ".."),
    "search": ("player=ann color=red", "cup 2019", "who=ann", "color=red", "="),
    "least": ("1", "2", *NUMBERS),
    "event": ("Cup",),
}
VALUE = ESCAPES.replace("]", "\\]")  # as SGF has it
GAME = f"(;FF[4]GM[11]SZ[3]PB[{VALUE}]PW[\u00c5sa]RE[B+R];B[b2];W[a1];B[c3])"
CONTENTS: dict[str, bytes] = {
    "game.sgf": GAME.encode(),
    f"{ESCAPES}.sgf": GAME.encode(),
    "\udcff.sgf": b"(;GM[11]SZ[3]PB[\xff\xfe];B[b2])",
    "two.sgf": b"(;GM[11]SZ[3];B[b2])(;GM[11]SZ[3];B[b2];W[b2])",
    "broken.sgf": b"(;GM[11]SZ[3];B[b2",
    "empty.sgf": b"",
    "noise.sgf": bytes(range(256)) * 40,
    "deep.sgf": b"(;GM[11]SZ[3]" + b"(;B[b2]" * 3000,
    "list.txt": b"3x3\nb2 a1 c3\n",
    "games.jsonl": (
        b'{"size": 3, "moves": "b2 a1", "black": "\\ud800\\u001b[2J"}\n{"size": 1e999}\n'
    ),
    "openings": b"b2\nb2 c3\n",  # no record: one of 11x11 would be solved for ever
    "proof": (
        b'{"format": "hextui-proof", "version": 1, "size": {"rows": 1, "columns": 1},'
        b' "black": [], "white": [], "to_move": "black", "winner": "black",'
        b' "nodes": [{"connection": {"kind": "semi", "carrier": ["a1"]}}]}'
    ),
    "bad.proof": b'{"format": "hextui-proof", "version": Infinity}',
    "folder.sgf/inside.sgf": b"(;GM[11]SZ[3];B[b2])",
}
