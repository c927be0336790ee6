"""What hextui finds out about a game: python example.py [FILE|LINK]."""

import sys

import hextui

SAMPLE = "(;FF[4]GM[11]SZ[5];B[a5];W[c3];B[b3];W[d2])"

game = hextui.read(sys.argv[1] if len(sys.argv) > 1 else SAMPLE)
position = game.position(ply=min(2, game.plies))
print(f"{position}\n{position.to_move} to move: {len(position.legal_moves)} moves")

links = hextui.connections(position, "white")
print(len(links), "connections,", len(links.between("left", "right")), "of White's edges")
for name in ("k-paths:1", "resistance"):
    print(name, *(move.move for move in hextui.rank(position, name)[:3]))
print("best line:", *hextui.lines(position)[0].moves)
print(hextui.explain(position, hextui.rank(position)[0].move).sentence)

with hextui.Solver(position.board) as solver:
    outcome = solver.solve(position, seconds=5)
    print(outcome.winner or "nobody yet", "wins; winning moves:", *outcome.winning_moves)
    if outcome.winner is not None:
        print("the winner needs", *sorted(hextui.check(solver.prove(position))))
