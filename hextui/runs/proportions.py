"""95% intervals of proportions; imports nothing heavy, so that the screen can use it."""

import math
from dataclasses import dataclass
from statistics import NormalDist

LEVEL = 0.95
_Z = NormalDist().inv_cdf(0.5 + LEVEL / 2)


@dataclass(frozen=True)
class Interval:
    """An estimate and the ends of its 95% interval."""

    value: float
    low: float
    high: float

    def __format__(self, spec: str) -> str:
        spec = spec or ".3f"
        return f"{self.value:{spec}} [{self.low:{spec}}, {self.high:{spec}}]"


def proportion(successes: int, trials: int) -> Interval:
    """Return a share with its Wilson score interval; without trials it is 0 to 1.

    Source: E. B. Wilson 1927 (https://doi.org/10.1080/01621459.1927.10502953).

    >>> f"{proportion(95, 100):.3f}"
    '0.950 [0.888, 0.978]'
    """
    if not trials:
        return Interval(math.nan, 0.0, 1.0)
    share = successes / trials
    z2 = _Z * _Z
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = _Z * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    # at 0 and 1 the ends are exact, rounding is not
    low = 0.0 if successes == 0 else centre - half
    return Interval(share, low, 1.0 if successes == trials else centre + half)
