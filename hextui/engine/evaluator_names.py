"""The names of all evaluators with their default options, without what makes them.

Importing the registry brings numba; who only lists names, as the screen does, comes here.
"""

# larger k first: what is counted there serves the smaller ones and shortest-path too
NAMES = (
    *(f"k-paths:{k}" for k in (2, 1, 0)),
    "k-mixed:1",
    "shortest-path",
    *(f"contribution-{view}:{k}" for view in ("own", "opponent", "both") for k in range(3)),
    "resistance",
    "two-distance",
    "blocking",
    "search",
    "network",
    "patterns",
)


def is_search(name: str) -> bool:
    """Tell whether a name is that of the tree search, which improves as long as it is let.

    >>> is_search("search:nodes=400"), is_search("resistance")
    (True, False)
    """
    return name.strip().partition(":")[0] == "search"
