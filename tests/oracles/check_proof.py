"""Check proofs of who wins a Hex position: ``python check_proof.py FILE...``

Needs Python 3.10 or newer and nothing else. docs/solver.md has the format and what a node claims.
Prints a line for each file; exits with 1 if a proof does not hold. Cells are their names; the
winner's stones and carriers are sets of names; an edge (top, bottom, left, right) is a name too.
"""

import json
import sys
from functools import cache
from itertools import product

EDGES = {"black": ("top", "bottom"), "white": ("left", "right")}
RING = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))  # neighbours in cyclic order
MOST_CLAIMS, MOST_PLAYED_OUT = 1_000_000, 16


def need(holds, message):
    if not holds:
        raise ValueError(message)


@cache
def never_matters(ring):
    """Return whether a stone joins no two groups, however the open places around it are filled."""
    cases = product(*(("own", "lost") if place == "open" else (place,) for place in ring))
    return all(sum(case[i] != case[i - 1] for i in range(len(case))) <= 2 for case in cases)


class Checker:
    """Checks the claims of one proof: that a node holds for a set of the winner's stones."""

    def __init__(self, document):
        need((document["format"], document["version"]) == ("hextui-proof", 1), "another format")
        rows, columns = document["size"]["rows"], document["size"]["columns"]
        need(1 <= rows <= 26 and 1 <= columns <= 26, "the sides of a board are 1 to 26")
        self.winner, self.to_move = document["winner"], document["to_move"]
        need({self.winner, self.to_move} <= EDGES.keys(), "the players are black and white")

        def name(row, column):
            over = {-1: "top", rows: "bottom"}.get(row, "")
            beside = {-1: "left", columns: "right"}.get(column, "")
            if over or beside:
                return "corner" if over and beside else over + beside
            return f"{chr(ord('a') + column)}{row + 1}"

        self.edges = frozenset(EDGES[self.winner])
        self.ring, self.near = {}, {edge: set() for edge in self.edges}
        for row, column in product(range(rows), range(columns)):
            self.ring[name(row, column)] = [name(row + down, column + by) for down, by in RING]
        for cell, ring in self.ring.items():
            self.near[cell] = {other for other in ring if other in self.ring or other in self.edges}
            for edge in self.near[cell] & self.edges:
                self.near[edge].add(cell)
        self.stones = {color: self.cells(document[color]) for color in EDGES}
        need(not self.stones["black"] & self.stones["white"], "two stones on a cell")
        self.nodes, self.carriers, self.needs_turn = document["nodes"], [], []

    def cells(self, names):
        found = frozenset(names)
        need(len(found) == len(names) and found <= self.ring.keys(), f"not cells: {names}")
        return found

    def check(self):
        """Check the claim that the last node holds for the winner's stones, and all below it."""
        for place, node in enumerate(self.nodes):
            for part in [node, *node.get("replies", ())]:
                need("then" not in part or part["then"] in range(place), "a later node is used")
            carrier, turn = self.claimed(node)
            self.carriers.append(carrier)
            self.needs_turn.append(turn)
        stones = self.stones["black"] | self.stones["white"]
        need(not self.carriers[-1] & stones, "stones on the carrier")
        need(self.to_move == self.winner or not self.needs_turn[-1], "it is the loser's turn")
        waiting = [(len(self.nodes) - 1, self.stones[self.winner])]
        claims = set(waiting)
        while waiting:
            place, own = waiting.pop()
            need(not self.carriers[place] & own, f"node {place}: own stones on the carrier")
            new = set(self.checked(self.nodes[place], self.carriers[place], own)) - claims
            claims |= new
            waiting += new
            need(len(claims) <= MOST_CLAIMS, "too many claims")
        used = {place for place, _ in claims}
        need(used == set(range(len(self.nodes))), "a node is not used")

    def claimed(self, node):
        """Return the carrier of a node, and whether the winner has to be on turn."""
        if "connection" in node:
            leaf = node["connection"]
            need(leaf["kind"] in ("full", "semi"), "neither full nor semi")
            return self.cells(leaf["carrier"]), leaf["kind"] == "semi"
        if "replies" in node:
            return self.cells(node["carrier"]), False
        carrier, turn = self.carriers[node["then"]], self.needs_turn[node["then"]]
        if "move" in node:
            return carrier | self.cells([node["move"]]), True
        return carrier | {cell for step in node["fill"] for cell in step.get("captured", ())}, turn

    def checked(self, node, carrier, own):
        """Check a node for these stones of the winner; return the claims that it rests on."""
        if "connection" in node:
            self.check_connection(node["connection"], carrier, own)
            return []
        if "replies" in node:
            return self.checked_replies(node["replies"], carrier, own)
        then = node["then"]
        if "fill" in node:
            return [(then, self.filled(node["fill"], self.carriers[then], own))]
        need(not self.needs_turn[then], "the winner moves twice")
        need(node["move"] not in self.carriers[then], "the cell that it takes is needed empty")
        return [(then, own | {node["move"]})]

    def checked_replies(self, replies, carrier, own):
        """Each cell of the carrier needs one answer; any but a kill answers a move elsewhere."""
        answered, claims = [cell for reply in replies for cell in reply["to"]], []
        need(sorted(answered) == sorted(carrier), "a move without an answer, or with two")
        for reply in replies:
            rest = carrier - {*reply["to"], reply.get("kill")}
            if "kill" in reply:
                need(len(rest) == len(carrier) - 2, "a kill needs two cells of the carrier")
                need(self.is_dead(reply["to"][0], own | {reply["kill"]}, rest), "nothing is killed")
            else:
                need(reply["to"] and self.carriers[reply["then"]] <= rest, "answered elsewhere")
                claims.append((reply["then"], own))
        need(claims, "a move outside the carrier has no answer")
        return claims

    def filled(self, steps, needed, own):
        """Return the stones with dead cells and captured pairs, each of which is checked."""
        steps = [step["captured"] if "captured" in step else [step["dead"]] for step in steps]
        left = self.cells([cell for step in steps for cell in step])
        need(left and not left & (own | needed), "the cells to fill are not empty")
        for step in steps:
            left, own = left - {*step}, own | {*step}
            dead = all(self.is_dead(cell, own - {cell}, needed | left) for cell in step)
            need(dead and len(step) in (1, 2), f"{step} cannot be filled")
        return own

    def is_dead(self, cell, own, empty):
        """Return whether a cell never matters if all but own and empty cells are the loser's."""
        colors = dict.fromkeys(own | self.edges, "own") | dict.fromkeys({*empty, "corner"}, "open")
        return never_matters(tuple(colors.get(place, "lost") for place in self.ring[cell]))

    def check_connection(self, leaf, carrier, own):
        """Follow the steps to a connection of the edges; without steps, play on the carrier."""
        if "steps" not in leaf:
            need(len(carrier) <= MOST_PLAYED_OUT, "too large to play out: give it steps")
            wins = self.wins(own, carrier, leaf["kind"] == "semi")
            return need(wins, "played out, the carrier does not connect the edges")
        groups, made = {stone: self.group(stone, own) for stone in own}, []
        for step in leaf["steps"]:
            made.append(self.connected(step, own, groups, made))
        need(made[-1] == (self.edges, leaf["kind"], carrier), "the steps show something else")

    def connected(self, step, own, groups, made):
        """Return ends, kind and carrier of a step: an adjacency, series (and), or parallel (or)."""
        if isinstance(step, list):
            one, other = (groups.get(end, frozenset([end])) for end in step)
            touch = any(other & self.near[name] for name in one)
            need(one != other and touch, f"{step} do not touch")
            return frozenset({min(one), min(other)}), "full", frozenset()
        places = step["and"] if "and" in step else step["or"]
        need(places and all(place in range(len(made)) for place in places), "a later step is used")
        ends, kinds, carriers = zip(*(made[place] for place in places), strict=True)
        union, common = frozenset().union(*carriers), carriers[0].intersection(*carriers[1:])
        joint = ends[0].intersection(*ends[1:]) if "and" in step else frozenset()
        outer = frozenset().union(*ends) - joint
        need(len(outer) == 2 and len(joint) == ("and" in step), "the ends do not fit")
        need("or" in step or kinds == ("full", "full"), "AND needs two full connections")
        captured = self.captured(step.get("captured", ()), own | outer | joint | self.edges, union)
        need(common <= captured and not union & outer, "the carriers have a cell in common")
        empty = joint - own - self.edges
        return outer, "semi" if empty else "full", union | captured | empty

    def captured(self, pairs, own, carrier):
        """Return the cells of pairs: each joins nothing new once the winner has the other."""
        cells = self.cells([cell for pair in pairs for cell in pair])
        need(not cells & own, "captured cells are not empty")
        for cell, reply in [pair for one, other in pairs for pair in ((one, other), (other, one))]:
            group = self.group(reply, own)
            joined = group.union(*(self.near[name] for name in group))
            useless = self.near[cell] & (own | carrier | cells) <= joined
            need(reply in self.near[cell] and useless, f"{cell} and {reply} are not captured")
        return cells

    def group(self, start, stones):
        group, fresh = {start}, [start]
        while fresh:
            more = self.near[fresh.pop()] & stones - group
            group |= more
            fresh += more
        return frozenset(group)

    def wins(self, own, empty, moves):
        """Return whether the winner joins its edges by play; ``moves``: the winner is on turn."""
        first, last = EDGES[self.winner]
        if last in self.group(first, own | self.edges):
            return True
        if last not in self.group(first, own | empty | self.edges):
            return False
        after = ((own | {cell} if moves else own, empty - {cell}, not moves) for cell in empty)
        return (any if moves else all)(self.wins(*play) for play in after)


def check(document):
    """Return what a proof shows, in one line; raises ValueError if it does not hold."""
    try:
        checker = Checker(document)
        checker.check()
    except (AttributeError, LookupError, RecursionError, TypeError) as error:
        raise ValueError(f"malformed: {error!r}") from None
    stones = (f"{color} {' '.join(document[color]) or '-'}" for color in EDGES)
    return f"{checker.winner} wins, {checker.to_move} to move; {', '.join(stones)}"


def verdict(name):
    try:
        with open(name, encoding="utf-8") as file:
            return f"holds: {check(json.load(file))}"
    except (OSError, ValueError, RecursionError) as error:
        return f"does not hold: {error}"


if __name__ == "__main__":
    verdicts = {name: verdict(name) for name in sys.argv[1:]}
    for name, said in verdicts.items():
        print(f"{name}: {said}")
    sys.exit(not verdicts or not all(said.startswith("holds") for said in verdicts.values()))
