"""The commands and what the help says of them."""

SUMMARY = "Open the workstation, where you analyse, play and edit games of Hex; or run a command."
COMMANDS = {
    "rank": "rank every legal move by one evaluator or several",
    "connections": "list the virtual connections of one colour",
    "network": "count short paths of one colour, and each cell's share of them",
    "lines": "find the best lines of play",
    "solve": "find who wins, every winning move, and why",
    "openings": "find which first moves of a board win",
    "check": "check a proof of who wins, without the search that found it",
    "library": "keep games, and find the best moves in them",
    "best-move": "find the best move by exhaustive search",
    "study": "run an experiment over many games",
    "match": "play a match between two players",
    "play": "play against the program",
    "ladder": "show your results against the levels, and your rating",
    "puzzles": "make puzzles from games, list and check collections",
    "report": "find the blunders of a game and evaluate its moves",
    "engine": "list other engines, or test whether one works",
    "htp": "run the engine behind the HTP protocol, for HexGui and tournament scripts",
    "info": "show or change who played a game, when, and how it ended",
    "fetch": "fetch a game of littlegolem.net or playhex.org by its link or number",
    "convert": "convert records from one format into another",
    "export": "draw a position: text, SVG, PNG, HexWiki; or write a game as a link",
    "serve": "show the workstation in a browser",
    "read": "read a game as sentences, one at each key, for screen readers",
    "forget": "remove what hextui keeps on disk: settings, library, games, reviews, ...",
    "completion": "print what makes your shell complete the commands, or the manual page",
    "warm": "compile the engine now, so that the first start is quick",
}
"""The commands, in the order of the help, and the one-line description of each."""
