"""The study ``betweenness``: whether it ranks winners' moves as high as k-contribution does.

Beyond Honjo et al. 2010 (https://hdl.handle.net/2115/51049), who have the k-contribution: Takada,
Honjo et al. 2015 (https://doi.org/10.1007/978-3-319-27992-3_21) evaluate by betweenness in the
board network (global, here ``local=0``) and in that of the shortest paths (local, ``local=1``),
and combine both. How it is read: docs/methods.md#betweenness. All rank the same moves.
"""

from hextui.studies.claims_file import Measure, OwnClaim, Sign

GLOBAL = "betweenness:local=0"
LOCAL = "betweenness:local=1"
BOTH = "betweenness"


def _claim(text: str, first: str, second: str, expect: Sign) -> OwnClaim:
    return OwnClaim(text=text, measure=Measure.Q, evaluators=(first, second), expect=expect)


CLAIMS = (
    _claim("both networks rank higher than the global one", BOTH, GLOBAL, Sign.ABOVE),
    _claim("both networks rank higher than the local one", BOTH, LOCAL, Sign.ABOVE),
    _claim("betweenness ranks as k-contribution does", BOTH, "contribution-both:1", Sign.NEAR),
    _claim("the global network ranks as k = 1 does", GLOBAL, "contribution-both:1", Sign.NEAR),
    _claim("the local network ranks as k = 0 does", LOCAL, "contribution-both:0", Sign.NEAR),
)
