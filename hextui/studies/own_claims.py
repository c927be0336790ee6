"""The study ``claims``: claims of the user's own, judged as those of Honjo et al. 2010 are.

The paper: https://hdl.handle.net/2115/51049. One run of ``rank-quality`` for each set of games
measures them; intervals draw whole games.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import groupby
from operator import sub

from hextui.runs.experiment import Experiment
from hextui.runs.intervals import mean_over_games
from hextui.runs.proportions import Interval
from hextui.runs.reports import RunReport, escape_markdown
from hextui.runs.results import Document, Table
from hextui.studies import rank_quality
from hextui.studies.claims_file import Measure, OwnClaim, Player
from hextui.studies.games import TIES, collection_name
from hextui.studies.paper import MAIN_TIES, SIGNS
from hextui.studies.rank_quality import LOW, PlayerMoves, RankQuality
from hextui.text import Names

INTRODUCTION = """A claim is *confirmed* if the 95% interval of its measure lies within the range
stated, *contradicted* if it lies outside, else *undecidable*. Measured and judged where moves that
tie take the middle of the ranks that they share; on the right the verdicts for the other ranks: +
confirmed, - contradicted, ? undecidable."""


def by_games(claims: Sequence[OwnClaim]) -> list[list[OwnClaim]]:
    """Return the claims about the same games together."""
    ordered = sorted(claims, key=lambda claim: claim.games)
    return [list(group) for _, group in groupby(ordered, key=lambda claim: claim.games)]


def work_on(claims: Sequence[OwnClaim]) -> RankQuality:
    """Return the work that measures claims about the same games."""
    names = dict.fromkeys(name for claim in claims for name in claim.evaluators)
    return RankQuality(tuple(names), any(claim.player is Player.LOSER for claim in claims))


def with_claims(study: Experiment, claims: Sequence[OwnClaim]) -> Experiment:
    """Return a study of rank quality whose document judges the claims too, as ``claims``."""
    return replace(study, report=partial(_judged_report, tuple(claims)))


def _judged_report(
    claims: Sequence[OwnClaim], rows: Table, document: Document, names: Names
) -> RunReport:
    made = rank_quality.report(rows, document, names)
    seed = document["settings"]["seed"]
    made.document["claims"] = [_judged(claim, rows, seed) for claim in claims]
    return made


def _judged(own: OwnClaim, rows: Table, seed: int) -> Document:
    """Return a claim as JSON, with measure and verdict by each way of ties."""
    player = own.player.value
    moves = PlayerMoves("default", player, rows.where(player=player), seed)
    ties: Document = {}
    for way in TIES:
        interval = _measured(own, moves, way)
        verdict = own.claim.verdict({own.claim.measure: {"": interval}})
        ties[way] = {"verdict": verdict, "measured": asdict(interval)}
    return {
        "claim": own.text,
        "criterion": own.claim.criterion,
        "verdict": ties[MAIN_TIES]["verdict"],
        "player": player,
        "moves": len(moves.rows.rows),
        "ties": ties,
    }


def _measured(own: OwnClaim, moves: PlayerMoves, ties: str) -> Interval:
    first, *second = (_values(own.measure, moves, name, ties) for name in own.evaluators)
    differences = first
    for other in second:
        differences = list(map(sub, first, other))
    return mean_over_games(differences, moves.rows.column("game"), moves.seed)


def _values(measure: Measure, moves: PlayerMoves, name: str, ties: str) -> list[float]:
    """Return what is measured of each move."""
    if measure is Measure.Q:
        return moves.q(name, ties)
    if measure is Measure.LOW:
        return [float(quality < LOW) for quality in moves.q(name, ties)]
    return [float(rank == "1") for rank in moves.rows.column(f"{name} rank")]


def report(parts: Mapping[str, RunReport]) -> RunReport:
    """Return the claims with their verdicts, by the reports of each set of games."""
    documents = {part: made.document for part, made in parts.items()}
    claims: list[Document] = []
    for part, document in documents.items():
        claims += [{"part": part, **claim} for claim in document["claims"]]
    made = RunReport("Claims and their verdicts", {"claims": claims, **documents})
    made.text(INTRODUCTION)
    for part, document in documents.items():
        games = escape_markdown(collection_name(document["settings"]["collection"]))
        made.text(f"[{part}]({part}/report.md): {games}.")
    others = [way for way in TIES if way != MAIN_TIES]
    head = ["claim", "verdict", "holds if", "measured", "moves", "games", *others]
    made.table(head, [_row(claim, others) for claim in claims])
    return made


def _row(claim: Document, others: Sequence[str]) -> list[str]:
    measured = Interval(**claim["ties"][MAIN_TIES]["measured"])
    moves = f"{claim['moves']:,} of the {claim['player']}s"
    about = [claim["claim"], claim["verdict"], claim["criterion"], f"{measured}", moves]
    signs = [SIGNS[claim["ties"][way]["verdict"]] for way in others]
    return [*about, claim["part"], *signs]
